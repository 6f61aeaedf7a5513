"""The application: which commands there are, and what becomes of errors.

A command returns nothing and raises what is wrong; :func:`main` says it in one line and chooses the exit code: 0, 1 for data
that break a rule, 2 for wrong usage, 130 after Ctrl-C. Nothing heavy is imported before a command runs, so that
``misieve --version`` answers at once.
"""

import os
import re
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import misieve
from misieve._errors import MisieveError, OptionError
from misieve._optional import need

__all__ = ["main"]

BAD_DATA, BAD_USAGE, INTERRUPTED, CLOSED_PIPE = 1, 2, 130, 141

DEBUG = "--debug"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; ``argv`` are the words after the program's name."""
    words = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    ours = words[: words.index("--")] if "--" in words else words
    debug = DEBUG in ours  # wherever it stands
    try:
        typer: Any = need("typer", extra="cli", purpose="the command line")
        command = typer.main.get_command(_application(typer))
    except MisieveError as missing:
        return _failed(str(missing), BAD_DATA, debug)
    usage_error = typer.BadParameter.__mro__[1]
    try:
        # What is worth a warning is caught and said by the commands; anything left is a library's own affair.
        with warnings.catch_warnings():
            if not debug:
                warnings.simplefilter("ignore")
            code = command.main(
                args=[word for word in ours if word != DEBUG] + words[len(ours) :], prog_name="misieve", standalone_mode=False
            )
        sys.stdout.flush()
    except usage_error as wrong:
        path = wrong.ctx.command_path if getattr(wrong, "ctx", None) else "misieve"
        from misieve.cli.wording import no_number

        said = wrong.format_message().rstrip(".")
        if re.search("valid (number|integer|float)", said):
            said = no_number(wrong.param.opts, ours) or said
        return _failed(f"{said} (see {path} --help)", BAD_USAGE, debug)
    except OptionError as wrong:
        return _failed(str(wrong), BAD_USAGE, debug)
    except (typer.Abort, KeyboardInterrupt):
        return _failed("interrupted", INTERRUPTED, debug)
    except (BrokenPipeError, SystemExit):  # whoever reads our output, such as head, has seen enough: typer exits then
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLOSED_PIPE
    except MisieveError as wrong:
        return _failed(str(wrong), BAD_DATA, debug)
    except OSError as wrong:
        where = f"{wrong.filename}: " if wrong.filename is not None else ""
        return _failed(f"{where}{wrong.strerror or wrong}", BAD_DATA, debug)
    except MemoryError:
        return _failed("there is not enough memory", BAD_DATA, debug)
    except Exception as wrong:
        found = " ".join(str(wrong).split())
        return _failed(f"{type(wrong).__name__}: {found} (this is a fault of misieve; --debug shows where)", BAD_DATA, debug)
    return _failed("interrupted", INTERRUPTED, debug) if code == INTERRUPTED else code if isinstance(code, int) else 0


def _failed(message: str, code: int, debug: bool) -> int:
    """Say what is wrong in one line, under the traceback if that is wanted."""
    if debug:
        traceback.print_exc()
    from misieve.cli.wording import as_options

    print(f"misieve: error: {as_options(' '.join(message.split()))}", file=sys.stderr)
    return code


def _application(typer: Any) -> Any:
    """All commands under one name."""
    from misieve.cli.demo import demo
    from misieve.cli.describe import describe
    from misieve.cli.evaluate import evaluate
    from misieve.cli.merge import merge
    from misieve.cli.select import select

    app = typer.Typer(
        name="misieve",
        rich_markup_mode="markdown",
        context_settings={"help_option_names": ["-h", "--help"]},
        epilog="`misieve COMMAND --help` shows a command's options and examples.",
    )

    def version(wanted: bool) -> None:
        if wanted:
            print(f"misieve {misieve.__version__}")
            raise typer.Exit

    def every(
        version: Annotated[
            bool, typer.Option("--version", callback=version, is_eager=True, help="Show the version and exit.")
        ] = False,
        debug: Annotated[bool, typer.Option(DEBUG, help="Show where an error comes from.")] = False,
    ) -> None:
        """Keep the features whose mutual information with a target you can be sure of."""

    app.callback()(every)
    for command in (select, demo, evaluate, describe, merge):
        app.command()(command)
    return app
