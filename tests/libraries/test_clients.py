"""HTTP and cloud clients: own pool, same settings; boto3 is shared."""

import pytest

import graphcopy


def test_httpx_clients_have_a_pool_of_their_own():
    httpx = pytest.importorskip("httpx")
    with httpx.Client(headers={"k": "v"}, cookies={"c": "1"}, timeout=2) as client:
        client._transport._pool._connections.append(object())  # as if one were open
        copied = graphcopy.copy({"c": client})["c"]
        client._transport._pool._connections.clear()
    assert copied._transport._pool._connections == [] and not copied.is_closed
    assert copied.headers["k"] == "v" and dict(copied.cookies) == {"c": "1"} and copied.timeout == httpx.Timeout(2)
    assert copied._transport._pool._max_connections == client._transport._pool._max_connections
    copied.close()
    own = graphcopy.copy(httpx.AsyncClient(base_url="http://x.invalid"))
    assert str(own.base_url) == "http://x.invalid" and not own.is_closed


def test_openai_client():
    openai = pytest.importorskip("openai")
    client = openai.OpenAI(api_key="k", base_url="http://x.invalid", max_retries=7)
    chat = client.chat
    copied, its = graphcopy.copy([client, chat])
    assert copied is not client and copied.api_key == "k" and copied.max_retries == 7
    assert its._client is copied and copied._client is not client._client


def test_requests_sessions_keep_what_subclasses_add():
    requests = pytest.importorskip("requests")

    class Adapter(requests.adapters.HTTPAdapter):
        def __init__(self, limit):
            self.limit = limit
            super().__init__(max_retries=2, pool_maxsize=7)

    class Session(requests.Session):
        pass

    session = Session()
    session.extra, session.auth = [1], ("u", "p")
    session.cookies.set("c", "1")
    session.mount("https://", Adapter([5]))
    session.get_adapter("https://x").poolmanager.connection_from_url("https://x.invalid")
    copied = graphcopy.copy(session)
    adapter = copied.adapters["https://"]
    assert adapter.limit == [5] and adapter.max_retries.total == 2 and adapter._pool_maxsize == 7
    assert copied.extra == [1] and copied.extra is not session.extra and copied.cookies["c"] == "1"
    assert len(adapter.poolmanager.pools) == 0 and len(session.get_adapter("https://x").poolmanager.pools) == 1
    assert adapter.poolmanager.connection_from_url("https://y.invalid").pool.maxsize == 7


def test_urllib3_pools():
    urllib3 = pytest.importorskip("urllib3")
    manager = urllib3.PoolManager(3, headers={"a": "b"}, maxsize=4)
    pool = manager.connection_from_host("x.invalid")
    copied, its = graphcopy.copy([manager, pool])
    assert copied.headers == {"a": "b"} and copied.pools._maxsize == 3 and its.pool.maxsize == 4
    assert its.pool is not pool.pool and its.host == "x.invalid" and its.pool.get() is None


@pytest.mark.filterwarnings("ignore")
def test_boto3_clients_are_shared():
    boto3 = pytest.importorskip("boto3")
    client = boto3.client("s3", region_name="eu-west-1", aws_access_key_id="A", aws_secret_access_key="S")
    held = [client, client.get_object]
    copied = graphcopy.copy(held)
    assert copied is not held and copied[0] is client and copied[1].__self__ is client
