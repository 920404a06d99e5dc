"""SQLAlchemy engines, sessions and declarative classes."""

import pytest

sa = pytest.importorskip("sqlalchemy")

from sqlalchemy import orm

import graphcopy


def test_an_engine_on_a_file(tmp_path):
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'd.db'}", pool_size=3, connect_args={"timeout": 9}, echo=False)
    heard = []
    sa.event.listen(engine, "before_cursor_execute", lambda *a: heard.append(1))
    with engine.begin() as connection:
        connection.execute(sa.text("create table t (n int)"))
        connection.execute(sa.text("insert into t values (1)"))
    count = len(heard)
    copied = graphcopy.copy({"e": engine, "again": engine})
    new = copied["e"]
    assert new is copied["again"] is not engine and new.url == engine.url and new.pool is not engine.pool
    assert new.pool.size() == 3
    with new.connect() as connection:
        assert connection.execute(sa.text("select n from t")).scalar() == 1
    assert len(heard) == count + 1
    engine.dispose()
    new.dispose()


@pytest.mark.parametrize("pool", [None, sa.StaticPool])
def test_an_engine_in_memory_keeps_its_data(pool):
    engine = sa.create_engine("sqlite://", poolclass=pool)
    with engine.begin() as connection:
        connection.execute(sa.text("create table t (n int)"))
        connection.execute(sa.text("insert into t values (1)"))
    new = graphcopy.copy(engine)
    with new.begin() as connection:
        connection.execute(sa.text("insert into t values (2)"))
        assert connection.execute(sa.text("select count(*) from t")).scalar() == 2
    with engine.connect() as connection:
        assert connection.execute(sa.text("select count(*) from t")).scalar() == 1
    engine.dispose()
    new.dispose()


class Base(orm.DeclarativeBase):
    pass


class User(Base):
    __tablename__ = "users"
    id = sa.Column(sa.Integer, primary_key=True)
    name = sa.Column(sa.String)


def test_sessions_are_bound_to_the_new_engine():
    engine = sa.create_engine("sqlite://", poolclass=sa.StaticPool)
    Base.metadata.create_all(engine)
    maker = orm.sessionmaker(engine, expire_on_commit=False)
    session = maker()
    user = User(name="a")
    session.add(user)
    session.commit()
    copied = graphcopy.copy({"maker": maker, "session": session, "engine": engine, "meta": Base.metadata, "cls": User})
    assert copied["meta"] is Base.metadata and copied["cls"] is User
    assert copied["session"].bind is copied["engine"] is not engine and copied["session"].expire_on_commit is False
    assert copied["session"].query(User).one().name == "a"
    with copied["maker"]() as other:
        assert other.bind is copied["engine"]
        other.add(User(name="b"))
        other.commit()
    assert session.query(User).count() == 1
    for each in (session, copied["session"]):
        each.close()
    engine.dispose()
    copied["engine"].dispose()
