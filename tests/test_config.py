import subprocess
import sys

import misieve
from misieve._config import config


def test_the_configuration_is_printed(capsys):
    misieve.show_config()
    shown = capsys.readouterr().out
    for name, value in config().items():
        assert name in shown
        assert value in shown
    assert config()["core"] in {"native", "twin"}
    assert config()["misieve"] == misieve.__version__


def test_a_library_that_is_not_there_is_said_so():
    from misieve._config import _version

    assert _version("no-such-library") == "not installed"


def test_importing_misieve_imports_nothing_heavy():
    code = "import sys, misieve; print([m for m in ('numpy', 'scipy', 'sklearn', 'matplotlib') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_unknown_names_are_attribute_errors():
    assert not hasattr(misieve, "no_such_name")
    assert {"posterior", "plot", "show_config"} <= set(dir(misieve))


def test_every_public_name_can_be_loaded():
    assert all(getattr(misieve, name) is not None for name in misieve.__all__)
