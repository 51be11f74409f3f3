"""An upstream that speaks TLS, as those of the vendors do."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from proxy_parts import POST, Reader, Writer, answer, proxied, read_request

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl")

BODY = bytes(range(256)) * 8000


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    command += ["-nodes", "-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")]
    command += ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(command, check=True, capture_output=True)
    return tmp_path / "cert.pem"


@asynccontextmanager
async def secured(certificate: Path) -> AsyncIterator[str]:
    async def serve(reader: Reader, writer: Writer) -> None:
        try:
            while True:
                head, _ = await read_request(reader)
                if b"/broken" in head:
                    writer.write(answer(BODY)[:-1])
                    await writer.drain()
                    writer.transport.abort()
                    return
                writer.write(answer(BODY))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))
    server = await asyncio.start_server(serve, "localhost", 0, ssl=context, family=2)
    try:
        yield f"https://localhost:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


async def test_through_tls(certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with secured(certificate) as url, proxied(url, tmp_path) as proxy:
        reader, writer = await proxy.connect()
        for _ in range(3):
            writer.write(POST)
            assert await reader.readexactly(len(answer(BODY))) == answer(BODY)
        writer.write(POST.replace(b"/v1/chat", b"/broken"))
        got = await asyncio.wait_for(reader.read(), 20)
        while piece := await reader.read():
            got += piece
        assert answer(BODY).startswith(got)
        assert len(got) < len(answer(BODY))
        writer.close()
        entries = await proxy.recorded(4)
    assert [entry["_complete"] for entry in entries] == [True, True, True, False]
    assert entries[0]["request"]["url"] == f"{url}/v1/chat"


async def test_a_certificate_that_nobody_vouches_for(certificate: Path, tmp_path: Path) -> None:
    async with secured(certificate) as url, proxied(url, tmp_path) as proxy:
        got = await proxy.exchange(POST)
        entry = (await proxy.recorded(1))[0]
    assert got.startswith(b"HTTP/1.1 502 ")
    assert b"certificate" in got
    assert "certificate" in entry["_error"]
