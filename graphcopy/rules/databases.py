"""sqlite3: the data of a database in memory is copied, one on a file is opened again."""

from __future__ import annotations

from typing import Any

from .making import rebuild, refuse, rule
from .thread_bound import note

__all__ = ["database_rules"]


class Connected:
    """Carries a connection to where its database is opened or copied, in this process."""

    __slots__ = ("obj",)

    def __init__(self, obj: Any) -> None:
        self.obj = obj

    def __call__(self, cls: Any) -> Any:
        old = self.obj
        path = file_of(old)
        kept = settings_of(old)
        # The check is about use by several threads; sqlite3 does not tell how the original was opened.
        new = cls(path or ":memory:", isolation_level=kept["isolation_level"])
        if not path:
            old.backup(new)
        return with_transactions(new, kept)


def stored(connection: Any) -> StoredDatabase:
    """What travels for a connection, taken at once: whoever writes the stream may be another thread."""
    path, data = file_of(connection), None
    note()
    if not path:
        if not hasattr(connection, "serialize"):
            data = "\n".join(connection.iterdump())
        elif connection.execute("PRAGMA page_count").fetchone() != (0,):  # an empty one cannot be serialized
            data = connection.serialize()
    return StoredDatabase(path, data, settings_of(connection))


class StoredDatabase:
    """Opens a database in another process: a file there, or one in memory with the data that came along."""

    __slots__ = ("data", "path", "settings")

    def __init__(self, path: str, data: Any, settings: dict[str, Any]) -> None:
        self.path = path
        self.data = data  # as sqlite writes it (Python 3.11 and later), or SQL
        self.settings = settings

    def __call__(self, cls: Any) -> Any:
        new = cls(self.path or ":memory:", isolation_level=self.settings["isolation_level"])
        if type(self.data) is bytes:
            if not hasattr(new, "deserialize"):
                raise ValueError("a database in memory was sent by Python 3.11 or later, and cannot be read by 3.10")
            new.deserialize(self.data)
        elif self.data is not None:
            new.executescript(self.data)
        return with_transactions(new, self.settings)


def settings_of(connection: Any) -> dict[str, Any]:
    """How a connection handles transactions."""
    found = {"isolation_level": connection.isolation_level}
    if hasattr(connection, "autocommit"):  # Python 3.12 and later
        found["autocommit"] = connection.autocommit
    return found


def with_transactions(new: Any, settings: dict[str, Any]) -> Any:
    """Set ``autocommit`` last: outside of it a transaction is open at once, in which nothing can be read in."""
    autocommit = settings.get("autocommit")
    if autocommit is not None and hasattr(new, "autocommit") and new.autocommit != autocommit:
        new.autocommit = autocommit
    return new


def file_of(connection: Any) -> str:
    """The file of a connection's main database; empty for one in memory."""
    for _, name, path in connection.execute("PRAGMA database_list"):
        if name == "main":
            return str(path or "")
    return ""


def set_connection(new: Any, state: dict[str, Any]) -> None:
    """Give the connection its factories and attributes."""
    for name, value in state.items():
        setattr(new, name, value)


@rule("sqlite3.Connection")
def connection(node: Any) -> Any:
    "A database in memory is copied with its data; one on a file is opened again."
    obj = node.obj
    import sqlite3

    try:
        made = stored(obj) if node.travels else Connected(obj)
        file_of(obj)
    except sqlite3.ProgrammingError as error:  # closed, or of another thread
        closed = "closed" in str(error)
        return refuse(
            f"sqlite3 says: {error}",
            "" if closed else "copy it in the thread that opened it, or open it with check_same_thread=False",
        )
    state = {"row_factory": obj.row_factory, "text_factory": obj.text_factory, **getattr(obj, "__dict__", {})}
    new = rebuild(made, node.type, attrs=state, setter=set_connection)
    new.lost = "functions, collations and attached databases; uncommitted changes of a file"
    return new


database_rules = [connection]
