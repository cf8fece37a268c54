#!/usr/bin/env python3
"""Does hostile input cost more than ordinary input of its length? Milliseconds of the server's processor time for each request.

  parsing.py                            Millrace nio and Tomcat 9 NIO
  parsing.py --servers a,b              rows of servers.json

Each kind of input is sent beside an ordinary one of the same length, which comes first; the ratio is to that one. What a server
refuses (400 and the like) has cost it something as well. See README.md.
"""
import argparse, os, socket, sys, tempfile
from types import SimpleNamespace

import bench

FORM_LENGTH = 2_000_000
HEAD_LENGTH = 7_000


def filled(piece, length):
    """So many bytes of pieces, numbered where they have a place for that."""
    if "%d" not in piece:
        return piece * (length // len(piece))
    out, size, i = [], 0, 0
    while size < length:
        out.append(piece.replace("%d", str(i)))
        size += len(out[-1])
        i += 1
    return "".join(out)


def form(piece):
    body = filled(piece, FORM_LENGTH)
    return "POST", "/parameters", ["Content-Type: application/x-www-form-urlencoded"], body


def multipart(piece):
    body = "--b\r\nContent-Disposition: form-data; name=f\r\n\r\n" + filled(piece, FORM_LENGTH) + "\r\n--b--\r\n"
    return "POST", "/parameters", ["Content-Type: multipart/form-data; boundary=b"], body


def field(name, piece, path="/parameters", before=""):
    return "GET", path, [name + ": " + before + filled(piece, HEAD_LENGTH)], ""


def path(piece):
    return "GET", "/" + filled(piece, HEAD_LENGTH), [], ""


PART = "\r\n--b\r\nContent-Disposition: form-data; name=f%d\r\n\r\n"
CASES = (
    ("form", "name%d=" + "x" * 200 + "&", [form(p) for p in ("&", "=", ";", "%41", "+", "%", "a&", "=&", "%zz&")], form),
    ("multipart", "x" * 1000 + "\r\n", [multipart(p) for p in (
        "\r", "\r\n--", PART, PART + "x" * 100, "\r\n--b\r\n" + "a:\r\n" * 100)], multipart),
    ("Cookie", "name%d=value; ", [field("Cookie", p) for p in (";", "=", "a;", "a=\"")], lambda p: field("Cookie", p)),
    ("Accept-Language", "de-CH;q=0.5, ", [field("Accept-Language", p) for p in (",", ";", " ", "a-", "a;q=")],
     lambda p: field("Accept-Language", p)),
    ("Accept-Encoding", "gzip;q=0.5, ", [field("Accept-Encoding", p, "/file/4k.bin") for p in (",", "a,", ";", " ")],
     lambda p: field("Accept-Encoding", p, "/file/4k.bin")),
    ("Range", "10-20, ", [field("Range", p, "/file/4k.bin", "bytes=") for p in (",", "0-,", "-1,", "9", " ")],
     lambda p: field("Range", p, "/file/4k.bin", "bytes=")),
    ("If-None-Match", '"tag%d", ', [field("If-None-Match", p, "/file/4k.bin") for p in (",", '"', "W/", '"",')],
     lambda p: field("If-None-Match", p, "/file/4k.bin")),
    ("path", "segment%d/", [path(p) for p in ("/", "a/", ";", "%41", "./", "a/../")], path),
    ("query", "name%d=value&", [("GET", "/parameters?" + filled(p, HEAD_LENGTH), [], "") for p in ("&", "=", "%41", "a&")],
     lambda p: ("GET", "/parameters?" + filled(p, HEAD_LENGTH), [], "")),
)


def request(case):
    method, target, fields, body = case
    head = ["%s %s HTTP/1.1" % (method, target), "Host: localhost", "Connection: close"] + fields
    if body:
        head.append("Content-Length: %d" % len(body))
    return ("\r\n".join(head) + "\r\n\r\n" + body).encode("latin-1")


def ask(port, data):
    with socket.create_connection((bench.HOST, port), timeout=120) as s:
        try:
            s.sendall(data)
        except OSError:
            pass  # refused before all of it had come
        answer = b""
        try:
            while True:
                more = s.recv(65536)
                if not more:
                    break
                answer = answer or more[:64]
        except OSError:
            pass
    return answer[9:12].decode() or "-"


def cost(server, data, most, count):
    """Milliseconds of processor time each, and the status; the best of three rounds."""
    best, status = None, "-"
    for _ in range(3):
        before, n = server.cpu(), 0
        while n < count and (n == 0 or server.cpu() - before < most):
            status = ask(server.port, data)
            n += 1
        each = (server.cpu() - before) * 1000 / n
        best = each if best is None else min(best, each)
    return best, status


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--servers", default="millrace-nio,tomcat9-nio")
    p.add_argument("--jdk", default="25", help="25, 17 or a path")
    p.add_argument("--base-port", type=int, default=int(os.environ.get("BENCH_PORT", "21500")))
    p.add_argument("--tmp", default=os.environ.get("BENCH_TMP") or os.path.join(tempfile.gettempdir(), "bench-work"))
    cfg = p.parse_args()
    settings = SimpleNamespace(base_port=cfg.base_port, tmp=os.path.abspath(cfg.tmp), cert="rsa", server_cpus="", tcnative=None,
                               java=bench.find_java(cfg.jdk), jvm="-Xms512m -Xmx512m -XX:+UseSerialGC",
                               native_flag="--enable-native-access=ALL-UNNAMED")
    bench.prepare(settings)
    bench.hello_war(settings)
    rows = bench.catalogue()
    worst = {}
    print("| server | input | ordinary ms | dearest ms | x | status | of |\n|---|---|---:|---:|---:|---|---|", flush=True)
    for index, name in enumerate(cfg.servers.split(",")):
        server = bench.Server(settings, rows[name], index)
        server.start()
        try:
            for what, ordinary, hostile, make in CASES:
                count = 60 if what in ("form", "multipart") else 1500
                usual = request(make(ordinary))
                cost(server, usual, 4, count)  # so that the compilers have seen it
                base, _ = cost(server, usual, 4, count)
                found = [(cost(server, request(h), 4, count), h) for h in hostile]
                (ms, status), which = max(found, key=lambda it: it[0][0])
                ratio = ms / max(base, 0.01)
                worst[name] = max(worst.get(name, 0), ratio)
                shown = repr((which[3] or "".join(which[2]) or which[1])[-12:])
                print("| %s | %s | %.2f | %.2f | %.1f | %s | %s |" % (
                    name, what, base, ms, ratio, status, shown.replace("|", "/")), flush=True)
        finally:
            server.stop()
    for name, ratio in worst.items():
        print("\n%s: at most %.1f times the cost of ordinary input" % (name, ratio))
    if any(ratio > 3 for name, ratio in worst.items() if name.startswith("millrace")):
        sys.exit(1)


if __name__ == "__main__":
    main()
