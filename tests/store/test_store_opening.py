"""Opening what is there: nothing that is not ours is written to, and every failure says what to do."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from store_values import a_run, a_trial

from workbench.core.errors import Mark, WorkbenchError
from workbench.core.exchange import Exchange, Usage
from workbench.core.scenario import Accept
from workbench.store import schema
from workbench.store.store import Store


def database(root: Path) -> Path:
    (root / ".workbench").mkdir(exist_ok=True)
    return root / ".workbench" / "runs.db"


def filled(root: Path) -> str:
    with Store.open(root) as store:
        new = a_run()
        recording = store.begin(new)
        recording.add(new.deliveries[0].key, a_trial())
        recording.finish(1.0, complete=False)
        return recording.run


def test_the_folder_keeps_itself_out_of_git(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    assert (tmp_path / ".workbench" / ".gitignore").read_text() == "*\n"


def test_reading_makes_no_folder(tmp_path: Path) -> None:
    assert Store.existing(tmp_path) is None
    assert list(tmp_path.iterdir()) == []
    database(tmp_path).touch()
    assert Store.existing(tmp_path) is None


def test_what_was_stored_is_there_the_next_time(tmp_path: Path) -> None:
    run = filled(tmp_path)
    with Store.open(tmp_path) as store:
        assert store.newest() == run
    there = Store.existing(tmp_path)
    assert there is not None
    with there:
        assert there.load(run).cells[0].trials == (a_trial(),)


def test_a_temporary_store_is_gone_at_the_end() -> None:
    store = Store.temporary()
    folder = store._path.parent
    assert folder.is_dir()
    store.close()
    assert not folder.exists()


@pytest.mark.parametrize("content", [b"this is a text file, and a long one " * 100, b"SQLite format 3\0 no"])
def test_a_file_that_is_no_database_is_not_overwritten(tmp_path: Path, content: bytes) -> None:
    path = database(tmp_path)
    path.write_bytes(content)
    for opening in (Store.open, Store.existing):
        with pytest.raises(WorkbenchError, match="not a database"):
            opening(tmp_path)
    assert path.read_bytes() == content


def test_a_database_of_someone_else_is_not_touched(tmp_path: Path) -> None:
    path = database(tmp_path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE theirs (x)")
        other.commit()
    content = path.read_bytes()
    for opening in (Store.open, Store.existing):
        with pytest.raises(WorkbenchError, match="not the workbench's"):
            opening(tmp_path)
    assert path.read_bytes() == content


def test_a_newer_schema_is_not_touched(tmp_path: Path) -> None:
    filled(tmp_path)
    path = database(tmp_path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 99")
    content = path.read_bytes()
    for opening in (Store.open, Store.existing):
        with pytest.raises(WorkbenchError, match=r"version 99.*newer workbench"):
            opening(tmp_path)
    assert path.read_bytes() == content


def as_of_version_1(path: Path) -> None:
    """The database as the first version made it."""
    with closing(sqlite3.connect(path)) as other:
        other.execute("ALTER TABLE runs DROP COLUMN accept")
        other.execute("PRAGMA user_version = 1")
        other.commit()


def as_of_version_2(path: Path) -> None:
    """The database as the second version made it."""
    with closing(sqlite3.connect(path)) as other:
        other.execute("ALTER TABLE trials DROP COLUMN exchange")
        other.execute("ALTER TABLE runs DROP COLUMN halted")
        other.execute("PRAGMA user_version = 2")
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        other.commit()


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as other:
        return int(other.execute("PRAGMA user_version").fetchone()[0])


def test_a_database_of_version_1_is_read_as_it_is_and_brought_up_to_be_written(tmp_path: Path) -> None:
    run = filled(tmp_path)
    path = database(tmp_path)
    as_of_version_2(path)
    as_of_version_1(path)
    there = Store.existing(tmp_path)
    assert there is not None
    with there:
        before = there.load(run)
        assert [summary.id for summary in there.runs()] == [run]
    assert (version_of(path), before.accept) == (1, {})
    entry = Accept("drift", "known", Mark("s.yaml", 3, 5), until="2027-01-01")
    with Store.open(tmp_path) as store:
        assert store.load(run) == before
        recording = store.begin(replace(a_run(), accept={"scenario": (entry,)}))
        recording.finish(1.0, complete=True)
        assert store.load(recording.run).accept == {"scenario": (entry,)}
        assert store.resume(a_run(), run) is not None
    assert version_of(path) == 3


def test_a_database_of_version_2_has_trials_without_an_exchange(tmp_path: Path) -> None:
    run = filled(tmp_path)
    path = database(tmp_path)
    as_of_version_2(path)
    there = Store.existing(tmp_path)
    assert there is not None
    with there:
        before = there.load(run)
    assert (version_of(path), before.halted, before.interrupted) == (2, {}, True)
    assert before.cells[0].trials == (a_trial(),)
    exchange = Exchange("http://127.0.0.1/v1", "{}", usage=Usage(input=7))
    with Store.open(tmp_path) as store:
        recording = store.resume(a_run(), run)
        assert recording is not None
        key = a_run().deliveries[0].key
        recording.add(key, replace(a_trial(1), exchange=exchange))
        recording.finish(1.0, complete=False)
        assert store.load(run).cells[0].trials == (a_trial(), replace(a_trial(1), exchange=exchange))
    assert version_of(path) == 3


def test_a_link_leads_nowhere(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    root = tmp_path / "root"
    root.mkdir()
    (root / ".workbench").symlink_to(elsewhere)
    with pytest.raises(WorkbenchError, match="a link"):
        Store.open(root)
    (root / ".workbench").unlink()
    database(root).symlink_to(elsewhere / "made.db")
    with pytest.raises(WorkbenchError, match="a link"):
        Store.open(root)
    assert list(elsewhere.iterdir()) == []


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / ".workbench").write_text("x")
    with pytest.raises(WorkbenchError, match="--no-save"):
        Store.open(tmp_path)


def test_a_locked_database_is_waited_for(tmp_path: Path) -> None:
    filled(tmp_path)
    with closing(sqlite3.connect(database(tmp_path), check_same_thread=False, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(0.2, lambda: other.execute("ROLLBACK"))
        timer.start()
        with Store.open(tmp_path) as store:
            store.begin(a_run()).finish(0.0, complete=True)
        timer.join()


def test_a_database_that_stays_locked_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(tmp_path)
    monkeypatch.setattr(schema, "_WAIT", 0.05)
    with closing(sqlite3.connect(database(tmp_path), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with Store.open(tmp_path) as store:
            with pytest.raises(WorkbenchError, match="another process"):
                store.begin(a_run())
            assert len(store.runs()) == 1


def test_a_damaged_run_is_said_to_be_one(tmp_path: Path) -> None:
    run = filled(tmp_path)
    with closing(sqlite3.connect(database(tmp_path))) as other:
        other.execute("UPDATE texts SET body = x'7b22'")
        other.commit()
    there = Store.existing(tmp_path)
    assert there is not None
    with there, pytest.raises(WorkbenchError, match=f"run {run} is damaged"):
        there.load(run)


def as_nobody(act: Callable[[], list[str]]) -> list[str]:
    """What `act` says where it has no rights: in a child process, for root has all of them."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            said = act()
        except BaseException as error:
            said = [repr(error)]
        os.write(writing, "\n".join(said).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read().split("\n")
    os.waitpid(child, 0)
    return said


@pytest.fixture
def read_only_root() -> Iterator[Path]:
    """A folder that everyone may enter and only its owner may write."""
    with TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs to become someone else")
@pytest.mark.parametrize("open_elsewhere", [False, True])
def test_a_folder_that_cannot_be_written_is_read_all_the_same(
    read_only_root: Path, open_elsewhere: bool
) -> None:
    run = filled(read_only_root)
    (read_only_root / "empty").mkdir()

    def act() -> list[str]:
        store = Store.existing(read_only_root)
        assert store is not None
        said = [f"{store.newest()} {len(store.load(run).cells)}"]
        for attempt in (lambda: Store.open(read_only_root / "empty"), lambda: store.prune(0)):
            try:
                attempt()
            except WorkbenchError as error:
                said.append(str(error))
        return said

    if open_elsewhere:
        with Store.open(read_only_root) as writer:
            writer.runs()
            first, *refusals = as_nobody(act)
    else:
        first, *refusals = as_nobody(act)
    assert first == f"{run} 2"
    assert ["--no-save" in refusal for refusal in refusals] == [True, True]
