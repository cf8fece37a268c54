#!/usr/bin/env python3
"""The product's own comparison of its connectors (millrace shootout), with other servers beside them: the same clients, the same report.

  shootout.py                           Tomcat 9, Undertow and Jetty 12 beside all connectors; results/shootout.html and .json
  shootout.py --servers tomcat9-nio --quick --transports nio,apr      what follows is passed on to millrace shootout

The peers serve the same paths: /hello, and files of the sizes of bench.py. See README.md.
"""
import argparse, os, subprocess, sys, tempfile
from types import SimpleNamespace

import bench

PRODUCT = os.path.join(bench.BENCH, "../../standalone/target/dist/bin/millrace")
RESULTS = os.path.normpath(os.path.join(bench.BENCH, "../results"))
HEAP = "512m"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--servers", default="tomcat9-nio,undertow,jetty12", help="Java servers of servers.json")
    p.add_argument("--jdk", default="25", help="25, 17 or a path")
    p.add_argument("--base-port", type=int, default=int(os.environ.get("BENCH_PORT", "21500")))
    p.add_argument("--tmp", default=os.environ.get("BENCH_TMP") or os.path.join(tempfile.gettempdir(), "bench-work"))
    cfg, passed = p.parse_known_args()
    java = bench.find_java(cfg.jdk)
    settings = SimpleNamespace(base_port=cfg.base_port, tmp=os.path.abspath(cfg.tmp), cert="rsa", server_cpus="", tcnative=None,
                               java=java, jvm="-Xms%s -Xmx%s" % (HEAP, HEAP),
                               native_flag="--enable-native-access=ALL-UNNAMED")
    bench.prepare(settings)
    bench.hello_war(settings)
    rows = bench.catalogue()
    names = [name for name in cfg.servers.split(",") if name]
    if set(names) - set(rows):
        sys.exit("no such servers: %s" % ", ".join(sorted(set(names) - set(rows))))
    beside = []
    for index, name in enumerate(names):
        server = bench.Server(settings, rows[name], index)
        server.start()
        beside.append("%s=http://%s:%d" % (name, bench.HOST, server.port))
        if server.has("tls"):
            beside.append("%s-tls=https://%s:%d" % (name, bench.HOST, server.tls_port))
    os.makedirs(RESULTS, exist_ok=True)
    words = [PRODUCT, "shootout", "--heap", HEAP]
    for option, value in (("--sizes", "servlet,128k" if "--quick" in passed else "servlet,4k,128k,2m"),
                          ("--report", os.path.join(RESULTS, "shootout.html")),
                          ("--json", os.path.join(RESULTS, "shootout.json"))):
        if not any(word.split("=")[0] == option for word in passed):
            words += [option, value]
    words += ["--beside", ",".join(beside)] * bool(beside) + passed
    sys.exit(subprocess.run(words, env=dict(os.environ, JAVA_HOME=os.path.dirname(os.path.dirname(java)))).returncode)


if __name__ == "__main__":
    main()
