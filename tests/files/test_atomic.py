"""Files that replace others: their permissions stay, and links stay links."""

import os
import stat

import pytest

import deciban as db
from deciban.files.atomic import write_whole

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions and links as Unix has them")

TABLE = {"a": [1.5, 2.5, 1.0, 3.0], "y": ["p", "q", "p", "q"]}


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def umask():
    before = os.umask(0o027)
    yield
    os.umask(before)


@pytest.fixture
def nb():
    return db.NaiveBayes().fit(TABLE, "y")


@pytest.mark.parametrize("kept", [0o600, 0o640, 0o664, 0o444])
def test_a_model_that_is_saved_again_had_other_permissions(tmp_path, nb, kept):
    path = tmp_path / "m.deciban"
    nb.save(path)
    assert mode(path) == 0o640  # a new file: as the umask says
    path.chmod(kept)
    nb.partial_fit(TABLE, "y").save(path)
    assert mode(path) == kept
    assert db.load(path).statistics_ == nb.statistics_
    assert os.listdir(tmp_path) == ["m.deciban"]


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.jsonl"])
def test_predictions_that_are_written_again_had_other_permissions(tmp_path, nb, name):
    path = tmp_path / name
    path.write_bytes(b"old")
    path.chmod(0o600)
    nb.predict_file({"a": [1.0]}, path)
    assert mode(path) == 0o600
    assert path.read_bytes() != b"old"


def test_a_file_is_private_while_it_replaces_a_private_one(tmp_path):
    path, seen = tmp_path / "secret", []
    path.write_bytes(b"old")
    path.chmod(0o600)

    def write(temporary):
        temporary.write_bytes(b"new")
        seen.append(mode(temporary))

    write_whole(path, write)
    assert seen == [0o600]
    assert path.read_bytes() == b"new"


def test_a_failure_leaves_the_old_file_with_its_permissions(tmp_path):
    path = tmp_path / "kept"
    path.write_bytes(b"old")
    path.chmod(0o604)
    with pytest.raises(ZeroDivisionError):
        write_whole(path, lambda temporary: 1 / 0)
    assert path.read_bytes() == b"old"
    assert mode(path) == 0o604
    assert os.listdir(tmp_path) == ["kept"]


def test_a_link_stays_a_link_to_the_new_file(tmp_path, nb):
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "m.deciban", tmp_path / "link.deciban"
    link.symlink_to(target)
    nb.save(link)
    target.chmod(0o600)
    nb.save(link)
    assert link.is_symlink()
    assert mode(target) == 0o600
    assert db.load(target).classes_.tolist() == ["p", "q"]
    assert sorted(os.listdir(tmp_path)) == ["link.deciban", "real"]


def test_group_and_owner_stay_where_the_system_allows_it(tmp_path):
    path = tmp_path / "shared"
    path.write_bytes(b"old")
    if os.geteuid() == 0:
        os.chown(path, 1, 1)
    before = path.stat()
    write_whole(path, lambda temporary: temporary.write_bytes(b"new"))
    assert (path.stat().st_uid, path.stat().st_gid) == (before.st_uid, before.st_gid)
