"""A certificate that nobody vouches for: nothing is sent, and the error says what to do."""

from __future__ import annotations

import datetime
import ssl
from pathlib import Path

import pytest
from aiohttp import web

from workbench.adapters.http import HttpAdapter
from workbench.adapters.protocol import Place, Request
from workbench.core.trial import Status
from workbench.core.turn import bare


def _certified(folder: Path) -> ssl.SSLContext:
    """A server's side of TLS, with a certificate that it signed itself."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "pem").write_bytes(key.private_bytes(pem, *plain) + made.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "pem")
    return context


async def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    asked: list[web.Request] = []

    async def route(request: web.Request) -> web.Response:
        asked.append(request)
        return web.json_response("send")

    app = web.Application()
    app.router.add_post("/route", route)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=_certified(tmp_path))
    await site.start()
    assert site._server is not None
    port = site._server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
    adapter = HttpAdapter("s", Place(Path()), url=f"https://localhost:{port}/route")
    answer = await adapter.decide(Request(bare("hello")))
    await adapter.close()
    await runner.cleanup()
    assert (answer.status, answer.fatal, asked) == (Status.ERROR, True, [])
    assert f"the certificate of localhost:{port} is not accepted: self-signed certificate" in str(
        answer.error
    )
    assert "SSL_CERT_FILE=… names a file" in str(answer.error)
    assert answer.exchange is not None and answer.exchange.tries == 1
