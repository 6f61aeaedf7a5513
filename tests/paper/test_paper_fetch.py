import gzip
import hashlib
import http.server
import io
import shutil
import sys
import tarfile
import threading

import pytest
from paper.sources import FILES, RawFile

from misieve import DataError
from paper import fetch

TEXT = b"1,2,yes\r\n3,4,no\r\n"
CONTENT = hashlib.sha256(b"1,2,yes\n3,4,no\n").hexdigest()


@pytest.fixture
def server(tmp_path_factory):
    """A server on this machine whose pages are what the test puts into its dictionary: path -> bytes."""
    pages, asked = {}, []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            if self.path not in pages:
                self.send_error(404)
                return
            body = pages[self.path]
            self.send_response(200)
            # A page named "cut" promises more than it sends.
            self.send_header("Content-Length", str(len(body) + (7 if "cut" in self.path else 0)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_address[1]}/", pages, asked
        running.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.delenv("MISIEVE_DATA", raising=False)
    monkeypatch.setattr(fetch, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def register(monkeypatch, name, *urls, content=CONTENT, sha256="0" * 64):
    monkeypatch.setitem(FILES, name, RawFile(name, sha256, content, urls))


def test_a_file_is_fetched_once_and_then_taken_from_the_cache(server, cache, monkeypatch):
    home, pages, asked = server
    pages["/set.data"] = TEXT
    register(monkeypatch, "set.data", home + "set.data")
    path = fetch.find("set.data")
    assert path == cache / "set.data"
    assert path.read_bytes() == TEXT
    assert fetch.find("set.data") == path
    assert asked == ["/set.data"]
    assert [item.name for item in cache.iterdir()] == ["set.data"]


def test_the_next_home_is_tried_and_a_copy_that_looks_different_is_the_same(server, cache, monkeypatch):
    home, pages, asked = server
    pages["/wrong.data"] = TEXT.replace(b"4", b"5")
    pages["/mirror.arff"] = b"% a copy\n@relation set\n@data\n\n'1', '2', 'yes'\n'3', '4', 'no'\n"
    register(monkeypatch, "set.arff", home + "absent.data", home + "wrong.data", home + "cut.data", home + "mirror.arff")
    assert list(fetch.rows(fetch.find("set.arff"))) == [["1", "2", "yes"], ["3", "4", "no"]]
    assert asked == ["/absent.data", "/wrong.data", "/cut.data", "/mirror.arff"]


def test_what_failed_is_said_and_nothing_is_left_behind(server, cache, monkeypatch):
    home, pages, _ = server
    pages["/cut.data"] = TEXT
    pages["/wrong.data"] = b"5\n"
    register(monkeypatch, "set.data", home + "absent.data", home + "cut.data", home + "wrong.data")
    with pytest.raises(
        DataError, match=r"(?s)--data or MISIEVE_DATA.*absent.*404.*cut\.data.*17 of 24 bytes.*wrong.*its values differ"
    ):
        fetch.find("set.data")
    assert list(cache.iterdir()) == []


def test_plain_text_is_packed_under_a_packed_name(server, cache, monkeypatch):
    home, pages, _ = server
    pages["/set.tst"] = TEXT.replace(b",", b" ")
    register(monkeypatch, "extras/set.tst.gz", home + "set.tst")
    path = fetch.find("extras/set.tst.gz")
    assert gzip.decompress(path.read_bytes()) == TEXT.replace(b",", b" ")


@pytest.mark.skipif(shutil.which("gzip") is None, reason="unpacking .Z needs gzip")
def test_a_file_of_the_old_compress_is_unpacked(server, cache, monkeypatch):
    home, pages, _ = server
    # gzip reads both formats, so a gzipped body shows that the step is made.
    pages["/set.trn.Z"] = gzip.compress(TEXT)
    register(monkeypatch, "set.trn.gz", home + "set.trn.Z")
    assert gzip.decompress(fetch.find("set.trn.gz").read_bytes()) == TEXT


def test_messages_are_found_wherever_the_archive_keeps_them(tmp_path):
    def archive(name, prefix, order):
        with tarfile.open(tmp_path / name, "w:gz") as packed:
            for member, body in order:
                info = tarfile.TarInfo(prefix + member)
                info.size = len(body)
                packed.addfile(info, io.BytesIO(body))
        return tmp_path / name

    items = [("lemm_stop/part1/b.txt", b"Subject: 1"), ("lemm_stop/part1/a.txt", b"Subject: 2")]
    one = archive("one.tar.gz", "", items)
    two = archive("two.tar.gz", "repository-1/pu1/", [*items[::-1], ("stop/part1/c.txt", b"Subject: 3")])
    assert fetch.messages(one) == [("part1/a.txt", "Subject: 2"), ("part1/b.txt", "Subject: 1")]
    assert fetch.content_checksum(one) == fetch.content_checksum(two)


def test_a_folder_is_the_only_place_looked_at(tmp_path, monkeypatch, server):
    home, pages, asked = server
    pages["/set.data"] = TEXT
    register(monkeypatch, "set.data", home + "set.data")
    monkeypatch.setenv("MISIEVE_DATA", str(tmp_path))
    with pytest.raises(DataError, match=r"set\.data is missing"):
        fetch.find("set.data")
    (tmp_path / "set.data").write_bytes(TEXT)
    assert fetch.find("set.data") == tmp_path / "set.data"
    assert asked == []


def test_a_changed_file_in_a_folder_is_refused(tmp_path, monkeypatch):
    (tmp_path / "set.data").write_bytes(TEXT.replace(b"yes", b"no"))
    register(monkeypatch, "set.data")
    with pytest.raises(DataError, match="is not the file the experiments were made with"):
        fetch.find("set.data", tmp_path)
    (tmp_path / "set.tar.gz").write_bytes(TEXT)
    register(monkeypatch, "set.tar.gz")
    with pytest.raises(DataError, match="cannot be read"):
        fetch.find("set.tar.gz", tmp_path)


def test_the_bar_shows_on_a_terminal_only(server, cache, monkeypatch, capsys):
    home, pages, _ = server
    pages["/set.data"] = TEXT
    assert b"".join(fetch._download(home + "set.data")) == TEXT
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert b"".join(fetch._download(home + "set.data", block=9)) == TEXT
    shown = capsys.readouterr().err
    assert " 53% " in shown
    assert "100% " in shown


@pytest.mark.parametrize(
    ("platform", "variable", "tail"),
    [
        ("linux", "XDG_CACHE_HOME", ("misieve", "data")),
        ("darwin", "HOME", ("Library", "Caches", "misieve", "data")),
        ("win32", "LOCALAPPDATA", ("misieve", "data")),
    ],
)
def test_the_cache_is_where_the_platform_keeps_caches(platform, variable, tail, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(variable, str(tmp_path))
    assert fetch.cache_folder() == tmp_path.joinpath(*tail)


def test_every_recorded_file_has_two_checksums_and_a_home():
    for name, file in FILES.items():
        assert file.name == name
        assert len(file.sha256) == len(file.content) == 64
        assert all(url.startswith(("https://", "http://www.aueb.gr/")) for url in file.urls)
        assert file.urls
