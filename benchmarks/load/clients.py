"""The harness' own small clients, for what wrk and ab cannot do.

Run as "clients.py KIND ..." in a process of its own, pinned like the other load generators; each prints JSON.
Some talk with the harness: they print a line when everything is open, and go on when a line arrives on stdin.
"""
import argparse, heapq, json, os, re, resource, selectors, socket, ssl, struct, sys, time

HOST = "127.0.0.1"
HELLO = b"Hello, World!"


def raise_nofile():
    """As many descriptors as this process may have, which its children inherit; how many."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    for want in (65536, hard):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (want, max(want, hard)))
            break
        except (ValueError, OSError):
            continue
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def pct(values, p):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * p / 100.0))] if values else float("nan")


def tls_context():
    c = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    c.check_hostname = False
    c.verify_mode = ssl.CERT_NONE
    return c


def get(port, path, tls=False, timeout=30, alpn=None):
    """One request on one connection: (status, headers, body, tls description)."""
    s = socket.create_connection((HOST, port), timeout=timeout)
    info = None
    try:
        if tls:
            c = tls_context()
            if alpn:
                c.set_alpn_protocols(alpn)
            s = c.wrap_socket(s, server_hostname=HOST)
            info = "%s %s alpn=%s" % (s.version(), s.cipher()[0], s.selected_alpn_protocol())
            if alpn:
                return 0, {}, b"", info
        s.sendall(request(path, close=True))
        parts = []
        while True:
            try:
                b = s.recv(1 << 20)
            except (ssl.SSLEOFError, ConnectionResetError):
                break
            if not b:
                break
            parts.append(b)
    finally:
        s.close()
    head, sep, body = b"".join(parts).partition(b"\r\n\r\n")
    if not sep:
        raise OSError("no complete answer to " + path)
    lines = head.decode("latin-1").split("\r\n")
    headers = {k.lower(): v.strip() for k, _, v in (x.partition(":") for x in lines[1:])}
    if headers.get("transfer-encoding", "").lower() == "chunked":
        out, i = [], 0
        while True:
            j = body.index(b"\r\n", i)
            n = int(body[i:j].split(b";")[0], 16)
            if n == 0:
                break
            out.append(body[j + 2:j + 2 + n])
            i = j + 2 + n + 2
        body = b"".join(out)
    return int(lines[0].split()[1]), headers, body, info


def client_sink(a):
    """One connection, one big response. Plain: the kernel throws the bytes away (MSG_TRUNC), so the server is measured."""
    s = socket.create_connection((HOST, a.port))
    flags = socket.MSG_TRUNC
    if a.tls:
        s = tls_context().wrap_socket(s, server_hostname=HOST)
        flags = 0
    buf = bytearray(1 << 20)
    t0 = time.perf_counter()
    s.sendall(request(a.path, close=True))
    n = 0
    while True:
        try:
            k = s.recv_into(buf, len(buf), flags)
        except ssl.SSLEOFError:
            break
        if k == 0:
            break
        n += k
    dt = time.perf_counter() - t0
    return {"requests": 1, "bytes": n, "secs": dt, "errors": 0 if n >= a.size else 1, "p50": dt * 1e3, "p99": dt * 1e3}


def client_downloads(a):
    """One big response after the other, for so many seconds: the bytes that came in each window. The kernel throws them away."""
    counts = [0] * int(a.secs / a.window)
    buf = bytearray(1 << 20)
    t0 = time.perf_counter()
    at = 0
    while at < len(counts):
        with socket.create_connection((HOST, a.port)) as s:
            s.sendall(request(a.path, close=True))
            k = 1
            while k and at < len(counts):
                k = s.recv_into(buf, len(buf), socket.MSG_TRUNC)
                at = int((time.perf_counter() - t0) / a.window)
                if at < len(counts):
                    counts[at] += k
    return {"windows": counts}


def request(path, close=False):
    return ("GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n" % (path, HOST, "Connection: close\r\n" if close else "")).encode()


def read_hello(s):
    """Reads the answer to /hello, which is short."""
    b = b""
    while HELLO not in b:
        k = s.recv(4096)
        if not k:
            raise OSError("closed after %d bytes of the answer" % len(b))
        b += k


def probe(a, ctx):
    """New connections, one after the other, each with one request: milliseconds from connect to the whole answer."""
    took = []
    for _ in range(a.probes):
        t0 = time.perf_counter()
        s = socket.create_connection((HOST, a.port), timeout=20)
        if ctx:
            s = ctx.wrap_socket(s, server_hostname=HOST)
        s.sendall(request("/hello", close=True))
        read_hello(s)
        took.append((time.perf_counter() - t0) * 1e3)
        s.close()
        time.sleep(0.005)
    return {"p50": pct(took, 50), "p99": pct(took, 99), "max": max(took)} if took else {}


def client_idle(a):
    """Opens a.n keep-alive connections with one /hello on each, and holds them. With a.probes it times new requests before
    they are there and beside them."""
    ctx = tls_context() if a.tls else None
    before = probe(a, ctx)
    conns, errors, t0 = [], 0, time.perf_counter()
    for _ in range(a.n):
        try:
            s = socket.create_connection((HOST, a.port), timeout=20)
            if ctx:
                s = ctx.wrap_socket(s, server_hostname=HOST)
            s.sendall(request("/hello"))
            read_hello(s)
            conns.append(s)
        except OSError:
            errors += 1
            if errors > 5:  # each may have been a time-out
                break
    print(json.dumps({"ready": len(conns), "errors": errors, "secs": time.perf_counter() - t0}), flush=True)
    sys.stdin.readline()
    beside = probe(a, ctx)
    alive = 0
    for s in conns:  # still open? a server that dropped idle connections would look thrifty
        s.setblocking(False)
        try:
            if s.recv(1) != b"":
                alive += 1
        except (BlockingIOError, ssl.SSLWantReadError):
            alive += 1
        except OSError:
            pass
    print(json.dumps({"alive": alive, "before": before, "beside": beside}), flush=True)
    os._exit(0)


def client_hello(ctx):
    """The first flight of a TLS client, as bytes."""
    out = ssl.MemoryBIO()
    try:
        ctx.wrap_bio(ssl.MemoryBIO(), out, server_hostname=HOST).do_handshake()
    except ssl.SSLWantReadError:
        pass
    return out.read()


def client_reset(a):
    """Opens a.n connections and resets them all at once, each in one of four states.

    Plain: idle after an answer; silent since it connected; in the middle of a request head; with an unread response of
    1 MB under way. TLS: idle after a handshake and an answer (every twentieth, as handshakes are slow); silent; in the
    middle of a ClientHello; with the server's first flight unread.
    """
    ctx = tls_context() if a.tls else None
    hello = client_hello(ctx) if a.tls else b""
    conns, errors = [], 0
    idle = a.n // (20 if a.tls else 4)
    for i in range(a.n):
        try:
            s = socket.create_connection((HOST, a.port), timeout=20)
            if i < idle:  # first, while the server is not yet busy with those that do not read
                s = ctx.wrap_socket(s, server_hostname=HOST) if ctx else s
                s.sendall(request("/hello"))
                read_hello(s)
            elif i % 3 == 0:
                s.sendall(hello[:len(hello) // 2] if a.tls else request("/hello")[:30])
            elif i % 3 == 1:
                s.sendall(hello if a.tls else request("/dynamic?size=1000000"))
            conns.append(s)
        except OSError:
            errors += 1
            if errors > 50:
                break
    print(json.dumps({"ready": len(conns), "errors": errors}), flush=True)
    sys.stdin.readline()
    for s in conns:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close() sends RST
    for s in conns:
        socket.close(s.detach())
    return {"reset": len(conns)}


def client_lines(a):
    """a.n connections at once ask for the same slow response; when is each complete?"""
    sel = selectors.DefaultSelector()
    req = request(a.path)
    conns = []
    for _ in range(a.n):
        s = socket.create_connection((HOST, a.port), timeout=20)
        conns.append(s)
    for s in conns:
        st = [s, time.perf_counter(), 0, None, b""]  # socket, asked at, bytes so far, bytes in all, head
        s.sendall(req)
        s.setblocking(False)
        sel.register(s, selectors.EVENT_READ, st)
    why = {}
    t0, left, took, errors, deadline = time.perf_counter(), a.n, [], 0, time.perf_counter() + a.secs
    total = 0
    while left and time.perf_counter() < deadline:
        for key, _ in sel.select(1):
            st = key.data
            try:
                b = st[0].recv(65536)
                reason = "closed after %d bytes" % st[2]
            except OSError as e:
                b, reason = b"", str(e)
            total += len(b)
            done = not b
            if b and st[3] is None:
                st[4] += b
                head, sep, _ = st[4].partition(b"\r\n\r\n")
                m = re.search(rb"content-length: *(\d+)", head, re.I)
                if sep and m and b" 200" in head[:20]:
                    st[3] = len(head) + 4 + int(m.group(1))
                elif sep:
                    done, reason = True, head.decode("latin-1")[:60]
            st[2] += len(b)
            if st[3] is not None and st[2] >= st[3]:
                took.append(time.perf_counter() - st[1])
                done = True
            elif done:
                errors += 1
                why[reason] = why.get(reason, 0) + 1
            if done:
                sel.unregister(st[0])
                st[0].close()
                left -= 1
    if left:
        why["not complete in time"] = left
    return {"requests": len(took), "bytes": total, "secs": time.perf_counter() - t0, "errors": errors + left, "why": why,
            "p50": pct(took, 50) * 1e3, "p99": pct(took, 99) * 1e3}


class Link:
    """What a modelled link lets through since a request: half a round trip, slow start from 10 segments, then its rate."""

    def __init__(self, mbps, rtt_ms):
        self.bps, self.rtt = mbps * 1e6 / 8, rtt_ms / 1000.0

    def allowed(self, sent, now):
        n, w, t = 0, 14600, sent + self.rtt / 2
        while t <= now:
            n += min(w, self.bps * (now - t))
            w *= 2
            t += self.rtt
        return int(min(n, self.bps * max(0.0, now - sent - self.rtt / 2)))


def narrow_socket(port):
    """A receive buffer of 16 KiB and small segments keep loopback from swallowing a whole response."""
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1460)
    s.connect((HOST, port))
    s.setblocking(False)
    return s


def client_slow(a):
    """Open loop: a.rate new clients per second, each behind a modelled link of a.mbps and a.rtt.

    The model: one round trip for the TCP handshake, half for the request to arrive, then the reader takes bytes no
    faster than slow start (10 segments, doubling per round trip) and the link rate allow. MSS 1460 and a receive buffer
    of 16 KiB keep loopback from swallowing the whole response.
    """
    sel = selectors.DefaultSelector()
    link = Link(a.mbps, a.rtt)
    rtt = link.rtt
    req = request(a.path, close=True)
    count = int(a.rate * a.secs)
    start = time.perf_counter()
    events = [(start + i / a.rate, i, "connect", None) for i in range(count)]
    heapq.heapify(events)
    seq, took, errors, total, live = count, [], 0, 0, 0

    def push(t, what, st):
        nonlocal seq
        seq += 1
        heapq.heappush(events, (t, seq, what, st))

    deadline = start + a.secs + 30
    while (events or live) and time.perf_counter() < deadline:
        now = time.perf_counter()
        if events and events[0][0] > now:
            time.sleep(min(0.01, events[0][0] - now))
            continue
        if not events:
            break
        _, _, what, st = heapq.heappop(events)
        if what == "connect":
            s = socket.socket()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
            s.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1460)
            s.setblocking(False)
            try:
                s.connect((HOST, a.port))
            except BlockingIOError:
                pass
            live += 1
            push(now + 1.5 * rtt, "send", {"s": s, "t0": now, "got": 0})
        elif what == "send":
            try:
                st["s"].send(req)
                st["sent"] = now
                push(now + rtt / 2, "read", st)
            except OSError:
                errors += 1
                live -= 1
                st["s"].close()
        else:
            eof = False
            try:
                while True:
                    room = link.allowed(st["sent"], now) - st["got"]
                    # past the announced size only the end of the stream is awaited, which costs no link time
                    want = room if st["got"] < a.size else 65536
                    if want <= 0:
                        break
                    b = st["s"].recv(min(want, 65536))
                    if not b:
                        eof = True
                        break
                    st["got"] += len(b)
            except BlockingIOError:
                pass
            except OSError:
                eof = True
            if eof:
                total += st["got"]
                if st["got"] >= a.size:
                    took.append(now - st["t0"])
                else:
                    errors += 1
                live -= 1
                st["s"].close()
            else:
                push(now + 0.005, "read", st)
    return {"requests": len(took), "bytes": total, "secs": time.perf_counter() - start, "errors": errors + live,
            "p50": pct(took, 50) * 1e3, "p99": pct(took, 99) * 1e3}


def client_crowd(a):
    """a.n clients with keep-alive connections, each behind a link of its own, in turns: a.rate requests a second in all.

    A client that is still reading when its turn comes counts as an error: the crowd is too small for the rate.
    """
    link, req = Link(a.mbps, a.rtt), request(a.path)
    idle = [narrow_socket(a.port) for _ in range(a.n)]
    busy, took, errors, total, asked = {}, [], 0, 0, 0
    start = time.perf_counter()
    count = int(a.rate * a.secs)
    while (asked < count or busy) and time.perf_counter() < start + a.secs + 30:
        now = time.perf_counter()
        while asked < count and now >= start + asked / a.rate:
            asked += 1
            if not idle:
                errors += 1
                continue
            s = idle.pop(0)
            s.send(req)
            busy[s] = {"sent": now, "got": 0, "head": b"", "all": None}
        for s, st in list(busy.items()):
            room = link.allowed(st["sent"], now) - st["got"]
            if room <= 0:
                continue
            try:
                b = s.recv(min(room, 65536))
            except BlockingIOError:
                continue
            except OSError:
                b = b""
            st["got"] += len(b)
            total += len(b)
            if st["all"] is None:
                st["head"] += b
                head, sep, _ = st["head"].partition(b"\r\n\r\n")
                m = re.search(rb"content-length: *(\d+)", head, re.I)
                if sep and m and b" 200" in head[:20]:
                    st["all"] = len(head) + 4 + int(m.group(1))
            if not b or st["got"] == st["all"]:
                del busy[s]
                if b:
                    took.append(now - st["sent"])
                    idle.append(s)
                else:
                    errors += 1
        time.sleep(0.002)
    return {"requests": len(took), "bytes": total, "secs": time.perf_counter() - start, "errors": errors + len(busy),
            "p50": pct(took, 50) * 1e3, "p99": pct(took, 99) * 1e3}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("kind")
    p.add_argument("--port", type=int)
    p.add_argument("--path", default="/hello")
    p.add_argument("--tls", action="store_true")
    p.add_argument("--n", type=int, default=1)
    p.add_argument("--size", type=int, default=0)
    p.add_argument("--secs", type=float, default=60)
    p.add_argument("--window", type=float, default=1)
    p.add_argument("--rate", type=float, default=80)
    p.add_argument("--mbps", type=float, default=8)
    p.add_argument("--rtt", type=float, default=180)
    p.add_argument("--probes", type=int, default=0)
    a = p.parse_args()
    raise_nofile()
    try:
        r = {"sink": client_sink, "idle": client_idle, "lines": client_lines, "slow": client_slow,
             "reset": client_reset, "crowd": client_crowd, "downloads": client_downloads}[a.kind](a)
    except OSError as e:
        r = {"error": str(e)}
    print(json.dumps(r), flush=True)


if __name__ == "__main__":
    main()
