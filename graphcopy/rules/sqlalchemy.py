"""SQLAlchemy: an engine is made anew from its URL with the same settings; the schema is shared.

The new engine has a pool of its own, of the same kind and size, with the same connect arguments and events,
and no connection yet. An in-memory SQLite database lives in its connection: its data is copied into the
new engine's. The dialect, which describes the database, is shared.

Facts from the sources of SQLAlchemy 2.1.
"""

from __future__ import annotations

from typing import Any

from ..anatomy.parts import Parts
from .making import because, rule, share
from .ruleset import RuleSet

__all__ = ["sqlalchemy_rules"]


class EngineCopy:
    """Makes an engine for the same database; as a pickle it carries the URL."""

    __slots__ = ("engine",)

    def __init__(self, engine: Any) -> None:
        self.engine = engine

    def __call__(self) -> Any:
        old = self.engine
        new = object.__new__(type(old))
        new.__dict__.update(old.__dict__)
        new.__dict__.pop("dispatch", None)
        new.pool = old.pool.recreate()
        if "_compiled_cache" in new.__dict__:
            new._compiled_cache = type(old._compiled_cache)(old._compiled_cache.capacity)
        if "dispatch" in old.__dict__:
            new.dispatch._update(old.dispatch, only_propagate=False)
        data = _memory_of(old)
        if data is not None:
            connection = new.raw_connection()
            try:
                data.backup(connection.driver_connection)
            finally:
                connection.close()
        return new

    def __reduce__(self) -> Any:
        return (EngineOf, (self.engine.url.render_as_string(hide_password=False),))


class EngineOf:
    """Makes an engine from its URL."""

    __slots__ = ("url",)

    def __init__(self, url: str) -> None:
        self.url = url

    def __call__(self) -> Any:
        from sqlalchemy import create_engine

        return create_engine(self.url)


def _memory_of(engine: Any) -> Any:
    """The open connection that holds an in-memory SQLite database, if there is one; it is not checked out."""
    if engine.dialect.name != "sqlite" or engine.url.database not in (None, "", ":memory:"):
        return None
    pool = engine.pool
    record = pool.__dict__.get("connection")  # a StaticPool
    if record is None and hasattr(pool, "_conn"):  # a pool of one connection for each thread
        current = getattr(pool._conn, "current", None)
        record = current() if current is not None else None
    connection = getattr(record, "dbapi_connection", None)
    return connection if hasattr(connection, "backup") else None


@rule("sqlalchemy.engine.base.Engine")
def engine(node: Any) -> Any:
    "An engine is made anew for the same URL, with the same settings and an empty pool."
    if node.type.__name__ != "Engine":
        return NotImplemented
    return Parts(EngineCopy(node.obj), lost="its open connections")


def make_session(cls: Any, bind: Any, binds: Any, settings: dict[str, Any]) -> Any:
    """Make a session over the copied engine."""
    new = cls(bind=bind, **settings)
    for key, target in binds or ():
        new._add_bind(key, target)
    return new


@rule("sqlalchemy.orm.session.Session")
def session(node: Any) -> Any:
    "A session begins anew over the copied engine; its objects and its transaction stay with the original."
    obj = node.obj
    names = ("autoflush", "expire_on_commit", "twophase", "enable_baked_queries")
    settings = {name: getattr(obj, name) for name in names if name in obj.__dict__}
    binds = tuple(obj.__dict__.get("_Session__binds", {}).items())
    return Parts(make_session, (node.type, obj.bind, binds, settings), lost="its transaction and identity map")


schema = because("Tables, mappers and dialects belong to classes and to the program: they are shared.", share(
    "sqlalchemy.sql.schema.MetaData", "sqlalchemy.sql.schema.SchemaItem", "sqlalchemy.orm.mapper.Mapper",
    "sqlalchemy.orm.decl_api.registry", "sqlalchemy.engine.interfaces.Dialect", "sqlalchemy.engine.url.URL",
    "sqlalchemy.orm.attributes.QueryableAttribute", "sqlalchemy.orm.instrumentation.ClassManager",
))  # fmt: skip

sqlalchemy_rules = RuleSet(
    "sqlalchemy", [engine, session, schema], library="sqlalchemy", description="SQLAlchemy engines, sessions, schema"
)
