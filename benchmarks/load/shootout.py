#!/usr/bin/env python3
"""The product's own comparison of its connectors (millrace shootout), with other servers beside them: the same clients, the same report.

  shootout.py                           Tomcat 9, Undertow and Jetty 12 beside all connectors; results/shootout.html and .json
  shootout.py --servers tomcat9-nio --quick --transports nio,apr      what follows is passed on to millrace shootout
  shootout.py --page                    no peers; the figures go to page/shootout.json, and from there into the page about connectors
  shootout.py --render                  measures nothing: the page from page/shootout.json

The peers serve the same paths: /hello, and files of the sizes of bench.py. See README.md.
"""
import argparse, json, os, subprocess, sys, tempfile, time
from types import SimpleNamespace

import bench
from page import fill, grid, machine, short

PRODUCT = os.path.join(bench.BENCH, "../../standalone/target/dist/bin/millrace")
RESULTS = os.path.normpath(os.path.join(bench.BENCH, "../results"))
HEAP = "512m"
DATA = os.path.normpath(os.path.join(bench.BENCH, "../page/shootout.json"))
PAGE = os.path.normpath(os.path.join(bench.BENCH, "../../docs/guide/choosing-a-connector.md"))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--servers", default="tomcat9-nio,undertow,jetty12", help="Java servers of servers.json")
    p.add_argument("--page", action="store_true", help="fills the page; forty minutes on a quiet machine")
    p.add_argument("--render", action="store_true", help="measures nothing")
    p.add_argument("--jdk", default="25", help="25, 17 or a path")
    p.add_argument("--base-port", type=int, default=int(os.environ.get("BENCH_PORT", "21500")))
    p.add_argument("--tmp", default=os.environ.get("BENCH_TMP") or os.path.join(tempfile.gettempdir(), "bench-work"))
    cfg, passed = p.parse_known_args()
    if cfg.render:
        return render()
    java = bench.find_java(cfg.jdk)
    settings = SimpleNamespace(base_port=cfg.base_port, tmp=os.path.abspath(cfg.tmp), cert="rsa", server_cpus="", tcnative=None,
                               java=java, jvm="-Xms%s -Xmx%s" % (HEAP, HEAP),
                               native_flag="--enable-native-access=ALL-UNNAMED")
    bench.prepare(settings)
    bench.hello_war(settings)
    rows = bench.catalogue()
    names = [name for name in cfg.servers.split(",") if name and not cfg.page]
    if cfg.page:
        passed += ["--json", DATA, "--seconds", "2", "--rounds", "5"]
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
    status = subprocess.run(words, env=dict(os.environ, JAVA_HOME=os.path.dirname(os.path.dirname(java)))).returncode
    if cfg.page and status == 0:
        render()
    sys.exit(status)


def render():
    with open(DATA) as f:
        fill(PAGE, json.load(f), {"example": example})


def example(run):
    """What the page shows of a run."""
    day = time.strptime(run["began"][:10], "%Y-%m-%d")
    about = run["settings"]
    parts = ["A run on %d %s, for %d minutes, on %s (Java %s%s). Other programs took %s of the processors, the servers' compilers %s of one, and "
             "rounds of the same measurement differed by %s (medians)." % (
                 day.tm_mday, time.strftime("%B %Y", day), max(1, round(run["seconds"] / 60)), machine(about["machine"]),
                 about["Java"], "; clients encrypt by " + run["client"] if run["client"] else "",
                 percent(run["others"]), percent(run["compilers"]), percent(run["spread"]))]
    parts += run["leftOut"]
    workloads = list(dict.fromkeys(cell["workload"] for cell in run["cells"]))
    connectors = list(dict.fromkeys(cell["connector"] for cell in run["cells"]))
    by = {(cell["connector"], cell["workload"], cell["clients"]): cell for cell in run["cells"]}
    for clients in dict.fromkeys(cell["clients"] for cell in run["cells"]):
        parts.append("Processor time of a response in microseconds, and responses a second, %d clients:" % clients)
        parts.append(grid([""] + workloads, [
            [name] + ["%s µs, %s" % (figure(by[name, w, clients], "cpuMicros"), figure(by[name, w, clients], "responsesPerSecond"))
                      for w in workloads] for name in connectors]))
    if run["waiting"]:
        parts.append("%d clients that wait for a back end, and responses a second of a servlet that computes:" % run["waiting"][0]["clients"])
        parts.append(grid(["", "responses a second", "p99", "threads", "memory", "computed a second"], [
            ["%s, %s" % (row["transport"], "asynchronous" if row["asynchronous"] else "synchronous"), figure(row, "responsesPerSecond"),
             figure(row, "p99Millis") + " ms", str(row["threads"] or "–"), figure({"mb": (row["memoryBytes"] or 0) / 1e6}, "mb") + " MB",
             figure(row, "computedPerSecond")] for row in run["waiting"]]))
    parts.append("> " + run["advice"])
    return "\n\n".join(parts)


def figure(row, name):
    return "–" if row[name] is None else short(row[name])


def percent(part):
    return "an unknown part" if part is None else "%.0f %%" % (100 * part)


if __name__ == "__main__":
    main()
