#!/usr/bin/env python3
"""Small clients of HTTP/2 (prior knowledge) and SPDY/3.1 for streams.py; each prints a line of JSON, or several.

  hold   opens connections, one /hello on each, prints a line, and holds them until it gets one
  slow   sends n requests on one connection, prints a line, and another when all are answered
  slow1  the same by HTTP/1.1, on a connection each
  spdy   one big response by SPDY/3.1 with the window given
"""
import argparse, json, os, re, socket, struct, sys, time, zlib

from clients import HELLO, HOST, raise_nofile, read_hello, request

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS, WINDOW_UPDATE = 0, 1, 4, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
DICTIONARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 2, "connectors", "spdy", "src", "main", "java",
                          "io", "millrace", "connector", "spdy", "SpdyDictionary.java")


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def get_headers(path):
    """A header block of literals and of the static table alone."""
    text = lambda s: bytes((len(s),)) + s.encode()
    return b"\x82\x86\x04" + text(path) + b"\x01" + text(HOST)


def frames(sock):
    """Kind, flags, stream and payload of each frame, until the peer closes."""
    held = b""
    while True:
        got = sock.recv(1 << 16)
        if not got:
            return
        held += got
        while len(held) >= 9:
            length = int.from_bytes(held[:3], "big")
            if len(held) < 9 + length:
                break
            yield held[3], held[4], int.from_bytes(held[5:9], "big") & 0x7FFFFFFF, held[9:9 + length]
            held = held[9 + length:]


def h2_connect(port):
    sock = socket.create_connection((HOST, port), timeout=60)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.sendall(PREFACE + frame(SETTINGS, 0, 0))
    return sock


def answered(sock, wanted):
    """Reads until so many streams have ended."""
    ended = 0
    for kind, flags, stream, payload in frames(sock):
        if kind == SETTINGS and not flags & ACK:
            sock.sendall(frame(SETTINGS, ACK, 0))
        elif kind in (DATA, HEADERS) and flags & END_STREAM:
            ended += 1
            if ended == wanted:
                break
        elif kind in (3, 7):  # RST_STREAM, GOAWAY
            raise OSError("a stream was refused: frame %d, %s" % (kind, payload[:80]))
    return ended


def client_hold(a):
    held = []
    for _ in range(a.n):
        if a.protocol == "h1":
            sock = socket.create_connection((HOST, a.port), timeout=60)
            sock.sendall(request("/hello"))
            read_hello(sock)
        else:
            sock = h2_connect(a.port)
            sock.sendall(frame(HEADERS, END_STREAM | END_HEADERS, 1, get_headers("/hello")))
            if not answered(sock, 1):
                raise OSError("closed without an answer")
        held.append(sock)
    print(json.dumps({"opened": len(held)}), flush=True)
    sys.stdin.readline()
    return {"requests": len(held)}


def client_slow(a):
    sock = h2_connect(a.port)
    for kind, flags, stream, payload in frames(sock):
        if kind == SETTINGS and not flags & ACK:
            break
    sock.sendall(frame(SETTINGS, ACK, 0))
    block = get_headers(a.path)
    sock.sendall(b"".join(frame(HEADERS, END_STREAM | END_HEADERS, 2 * i + 1, block) for i in range(a.n)))
    print(json.dumps({"sent": a.n}), flush=True)
    return {"requests": answered(sock, a.n)}


def client_slow1(a):
    held = [socket.create_connection((HOST, a.port), timeout=60) for _ in range(a.n)]
    for sock in held:
        sock.sendall(request(a.path))
    print(json.dumps({"sent": a.n}), flush=True)
    return {"requests": sum(sock.recv(4096).startswith(b"HTTP/1.1 200") for sock in held)}


def dictionary():
    """SPDY's, from the one place where it stands."""
    with open(DICTIONARY) as f:
        texts, rest = f.read().split("TEXTS = {")[1].split("REST =")
    quoted = lambda text: re.findall(r'"([^"]*)"', text)
    words = b"".join(struct.pack(">I", len(t)) + t.encode() for t in quoted(texts.split("};")[0]))
    return words + "".join(quoted(rest.split(";\n")[0])).encode()


def control(kind, flags, payload):
    return struct.pack(">HHI", 0x8003, kind, flags << 24 | len(payload)) + payload


def syn_stream(path):
    fields = ((":method", "GET"), (":path", path), (":version", "HTTP/1.1"), (":host", HOST), (":scheme", "http"))
    block = struct.pack(">I", len(fields))
    for text in (t for pair in fields for t in pair):
        block += struct.pack(">I", len(text)) + text.encode()
    packed = zlib.compressobj(zdict=dictionary())
    return control(1, 1, struct.pack(">IIBB", 1, 0, 0, 0) + packed.compress(block) + packed.flush(zlib.Z_SYNC_FLUSH))


def client_spdy(a):
    """Credits both windows by what was taken, once it is half of the window."""
    sock = socket.create_connection((HOST, a.port), timeout=60)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    credit = lambda count: control(9, 0, struct.pack(">II", 0, count)) + control(9, 0, struct.pack(">II", 1, count))
    first = control(4, 0, struct.pack(">III", 1, 7, a.window))  # SETTINGS: INITIAL_WINDOW_SIZE
    if a.window > 65536:
        first += control(9, 0, struct.pack(">II", 0, a.window - 65536))
    t0 = time.perf_counter()
    sock.sendall(first + syn_stream(a.path))
    buffer = bytearray(1 << 18)
    view = memoryview(buffer)
    held = taken = total = skip = 0
    data = False
    while True:
        got = sock.recv_into(view[held:])
        if not got:
            raise OSError("closed after %d bytes" % total)
        held += got
        at = 0
        while at < held:
            if skip:
                part = min(skip, held - at)
                at += part
                skip -= part
                if data:
                    taken += part
                continue
            if held - at < 8:
                break
            word, length = struct.unpack_from(">II", buffer, at)
            data, at, skip = not word >> 31, at + 8, length & 0xFFFFFF
            if not data and word & 0xFFFF in (3, 7):
                raise OSError("refused: control frame %d" % (word & 0xFFFF))
            if length >> 24 & 1:
                total += taken + (skip if data else 0)
                seconds = time.perf_counter() - t0
                return {"requests": 1, "bytes": total, "secs": seconds, "errors": 0, "p50": seconds * 1e3, "p99": seconds * 1e3}
        view[:held - at] = view[at:held]
        held -= at
        if taken >= a.window // 2:
            sock.sendall(credit(taken))
            total, taken = total + taken, 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("kind", choices=("hold", "slow", "slow1", "spdy"))
    p.add_argument("--port", type=int)
    p.add_argument("--path", default="/hello")
    p.add_argument("--n", type=int, default=1)
    p.add_argument("--protocol", choices=("h1", "h2"), default="h2")
    p.add_argument("--window", type=int, default=65536)
    a = p.parse_args()
    raise_nofile()
    try:
        r = {"hold": client_hold, "slow": client_slow, "slow1": client_slow1, "spdy": client_spdy}[a.kind](a)
    except OSError as e:
        r = {"error": str(e)}
    print(json.dumps(r), flush=True)


if __name__ == "__main__":
    main()
