"""HTTP and cloud clients: one of its own with the same settings and cookies, and no open connection.

A client is copied like any other object. Only the connections that its pool holds at the moment stay with
the original: they are sockets. TLS contexts are shared. Cloud clients are made to be shared, and are.

Facts from the sources of httpcore 1.0, urllib3 2.8, requests 2.34, botocore 1.44.
"""

from __future__ import annotations

import sys
from typing import Any

from .attributewise import attributewise, decides_for_itself
from .making import rule
from .ruleset import RuleSet
from .treatments import shared

__all__ = ["botocore_rules", "httpcore_rules", "urllib3_rules"]


@rule(
    "httpcore._sync.connection_pool.ConnectionPool", "httpcore._async.connection_pool.AsyncConnectionPool",
    "httpcore.ConnectionPool", "httpcore.AsyncConnectionPool",
)  # fmt: skip
def httpx_pool(node: Any) -> Any:
    "The pool under an httpx or openai client has the same limits in the copy, and no connection yet."
    if decides_for_itself(node.type, "httpcore"):
        return NotImplemented
    return attributewise(node.obj, instead={"_connections": [], "_requests": []})


@rule("urllib3.poolmanager.PoolManager")
def pool_manager(node: Any) -> Any:
    "A PoolManager has the same settings in the copy, and no pool yet."
    if decides_for_itself(node.type, "urllib3", "requests"):
        return NotImplemented
    pools: Any = sys.modules["urllib3"].poolmanager.RecentlyUsedContainer  # type: ignore[attr-defined]
    size = getattr(node.obj.__dict__.get("pools"), "_maxsize", 10)
    return attributewise(node.obj, instead={"pools": pools(size)})


@rule("urllib3.connectionpool.HTTPConnectionPool")
def connection_pool(node: Any) -> Any:
    "A pool of connections to one host has the same size in the copy, and all places free."
    if decides_for_itself(node.type, "urllib3"):
        return NotImplemented
    pool = node.obj.__dict__.get("pool")
    fresh = None
    if pool is not None:
        fresh = type(pool)(pool.maxsize)
        for _ in range(pool.maxsize):
            fresh.put(None)
    return attributewise(node.obj, instead={"pool": fresh})


@rule("requests.sessions.Session", "requests.adapters.BaseAdapter")
def session(node: Any) -> Any:
    "A requests session or adapter keeps all its attributes: its __getstate__ would keep those in __attrs__ only."
    if decides_for_itself(node.type, "requests", state=True):
        return NotImplemented
    return attributewise(node.obj)


@rule(
    "botocore.client.BaseClient", "boto3.resources.base.ServiceResource", "boto3.session.Session",
    "botocore.session.Session",
)  # fmt: skip
def cloud_client(node: Any) -> Any:
    "A boto3 client is made to be used by many at once: it is shared."
    return shared("a cloud client, which is made to be shared", live=True)


httpcore_rules = RuleSet("httpcore", [httpx_pool], library="httpcore", description="httpx and openai clients")
urllib3_rules = RuleSet(
    "urllib3",
    [session, pool_manager, connection_pool],
    library="urllib3",
    description="requests sessions, urllib3 pools",
)
botocore_rules = RuleSet("botocore", [cloud_client], library="botocore", description="boto3 clients and resources")
