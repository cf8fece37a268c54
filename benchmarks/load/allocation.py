#!/usr/bin/env python3
"""What one request allocates, in bytes of the Java heap: a collector that never collects (Epsilon), requests by ab.

  allocation.py                         all transports and Tomcat 9 NIO
  allocation.py --servers a,b           rows of servers.json
  allocation.py --classes hello         of which classes they are, for one of the requests: hello, writer, file

Counted is what the heap has grown by after so many requests over so many keep-alive connections, once the compilers have done
their work. See README.md.
"""
import argparse, os, re, shutil, subprocess, sys, tempfile
from types import SimpleNamespace

import bench

CASES = {"hello": ("hello", "/hello"), "writer": ("JSON by Writer", "/writer"), "file": ("4 KiB file", "/file/4k.bin")}
# small allocation buffers: what a thread has not used of its own counts as well
JVM = ("-Xms%(heap)s -Xmx%(heap)s -XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC -XX:EpsilonMaxTLABSize=65536 "
       "-XX:MaxDirectMemorySize=256m")


def ask(port, path, count, connections):
    out = subprocess.run(["ab", "-q", "-k", "-c", str(connections), "-n", str(count), "http://127.0.0.1:%d%s" % (port, path)],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300).stdout
    if "Failed requests:        0" not in out or "Non-2xx" in out:
        sys.exit("ab failed at %s:\n%s" % (path, out))


def bytes_each(server, path, cfg):
    ask(server.port, path, cfg.warm, cfg.connections)
    before = server.stats()["heapUsed"]
    ask(server.port, path, cfg.requests, cfg.connections)
    return (server.stats()["heapUsed"] - before) / cfg.requests


def census(server, java):
    """All objects on the heap, those that nothing refers to included: instances and bytes, by class."""
    out = subprocess.run([os.path.join(os.path.dirname(java), "jcmd"), str(server.proc.pid), "GC.class_histogram", "-all"],
                         stdout=subprocess.PIPE, text=True, timeout=300).stdout
    return {m[3]: (int(m[1]), int(m[2])) for m in re.finditer(r"^ *\d+: +(\d+) +(\d+)  (\S+)", out, re.M)}


def classes_each(server, path, cfg, java):
    """Instances and bytes for each request, by class, the most bytes first."""
    ask(server.port, path, cfg.warm, cfg.connections)
    before = census(server, java)
    ask(server.port, path, cfg.requests, cfg.connections)
    after = census(server, java)
    grown = {name: [now - then for now, then in zip(now, before.get(name, (0, 0)))] for name, now in after.items()}
    return sorted(((n / cfg.requests, size / cfg.requests, name) for name, (n, size) in grown.items()), key=lambda row: -row[1])


def table_of_classes(server, cfg, java):
    rows = classes_each(server, CASES[cfg.classes][1], cfg, java)
    print("\n%s, %s: %.0f bytes each\n\n| instances | bytes | class |\n|---:|---:|---|" % (
        server.name, cfg.classes, sum(size for _, size, _ in rows)))
    for count, size, name in rows:
        if count >= 0.01 or size >= 1:
            print("| %.2f | %.0f | %s |" % (count, size, name), flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--servers", default="millrace-nio,millrace-nio2,millrace-apr,millrace-bio,tomcat9-nio")
    p.add_argument("--jdk", default="25", help="25, 17 or a path")
    p.add_argument("--heap", default="3g", help="must hold all that is allocated meanwhile")
    p.add_argument("--warm", type=int, default=20_000, help="requests of each kind before it is counted")
    p.add_argument("--requests", type=int, default=50_000)
    p.add_argument("--connections", type=int, default=8)
    p.add_argument("--classes", choices=CASES, help="counts the objects of each class instead")
    p.add_argument("--jvm", default="", help="further options of the JVM")
    p.add_argument("--base-port", type=int, default=int(os.environ.get("BENCH_PORT", "21500")))
    p.add_argument("--tmp", default=os.environ.get("BENCH_TMP") or os.path.join(tempfile.gettempdir(), "bench-work"))
    cfg = p.parse_args()
    if not shutil.which("ab"):
        sys.exit("missing tool: ab")
    settings = SimpleNamespace(base_port=cfg.base_port, tmp=os.path.abspath(cfg.tmp), cert="rsa", server_cpus="", tcnative=None,
                               java=bench.find_java(cfg.jdk), jvm=(JVM % {"heap": cfg.heap} + " " + cfg.jvm).strip(),
                               native_flag="--enable-native-access=ALL-UNNAMED")
    bench.prepare(settings)
    bench.hello_war(settings)
    rows = bench.catalogue()
    print("Java %s, bytes for each of %d requests on %d connections\n" % (
        bench.java_version(settings.java), cfg.requests, cfg.connections))
    if not cfg.classes:
        print("| | " + " | ".join(name for name, _ in CASES.values()) + " |")
        print("|---|" + "---:|" * len(CASES), flush=True)
    for index, name in enumerate(cfg.servers.split(",")):
        server = bench.Server(settings, rows[name], index)
        server.start()
        try:
            if cfg.classes:
                table_of_classes(server, cfg, settings.java)
                continue
            print("| %s | %s |" % (name, " | ".join("%d" % bytes_each(server, path, cfg) for _, path in CASES.values())), flush=True)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
