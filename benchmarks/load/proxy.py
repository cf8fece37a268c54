#!/usr/bin/env python3
"""The proxy of Millrace beside those of Undertow, nginx and httpd, and beside the backend itself.

  proxy.py                              the whole table
  proxy.py --only 'hello|download'      some rows (hello, latency, download, slow)
  proxy.py --proxies millrace-http,nginx

The proxy has one core; the backend, which is Millrace on nio, and the load generator share the other. See README.md.
"""
import os, re, statistics, sys, time
from types import SimpleNamespace

import bench
from clients import raise_nofile
from streams import BIG, PROTOCOLS

JAVA_PROXY = "sh {bench}/proxies/millrace.sh nio {java} {jvm}"
PROXIES = {  # name → command and scheme of the backend, where it is Millrace's to choose
    "millrace-http": (JAVA_PROXY, "http"),
    "millrace-ajp": (JAVA_PROXY, "ajp"),
    "millrace-h2c": (JAVA_PROXY, "h2c"),
    "millrace-spdy": (JAVA_PROXY, "spdy"),
    "undertow": ("{java} {jvm} -cp {bench}/peers/undertow/target/lib/*:{bench}/peers/undertow/target/classes bench.UndertowProxyMain", ""),
    "nginx": ("sh {bench}/proxies/nginx.sh", ""),
    "httpd-http": ("sh {bench}/proxies/httpd.sh http", ""),
    "httpd-ajp": ("sh {bench}/proxies/httpd.sh ajp", ""),
    "httpd-jk": ("sh {bench}/proxies/httpd.sh jk", ""),
}
DIRECT = "direct"
SLOW = (170, 1_000)


class Comparison:
    def __init__(self, cfg, backend):
        self.cfg, self.backend, self.load = cfg, backend, bench.Load(cfg)
        self.columns, self.table, self.failed = [DIRECT] + cfg.proxies, [], False
        self.rounds, self.notes = [], []
        self.proxies = {}

    def start(self):
        for index, name in enumerate(self.cfg.proxies, 1):
            command, scheme = PROXIES[name]
            port = self.cfg.ajp_port if scheme == "ajp" else self.backend.port
            row = {"name": "proxy-" + name, "features": [], "cmd": command, "env": {
                "BACKENDS": "%s://%s:%d%s" % (scheme, bench.HOST, port, "?secretRequired=false" if scheme == "ajp" else ""), "BACKEND": "%s:%d" % (bench.HOST, self.backend.port),
                "AJP_BACKEND_PORT": str(self.cfg.ajp_port)}}
            proxy = bench.Server(self.cfg, row, index)
            try:
                proxy.start()
                self.proxies[name] = proxy
            except (RuntimeError, OSError) as e:
                self.fail("start", name, e)

    def stop(self):
        for proxy in self.proxies.values():
            proxy.stop()

    def fail(self, case, name, why):
        self.failed = True
        self.notes.append("%s / %s: %s" % (case, name, why))
        print("  %-24s %-14s FAILED: %s" % (case, name, why), flush=True)

    def fronts(self):
        return {DIRECT: self.backend, **self.proxies}

    def turns(self, case, ask, warm, per=1):
        """Medians by name: what is asked for a second, p99, CPU of the front and of the backend for each (or for so many)."""
        found = {}
        for name, front in self.fronts().items():
            for _ in range(warm):
                self.attempt(case, name, lambda: ask(front))
        for turn in range(self.cfg.rounds):
            for name, front in self.fronts().items():
                own, back = front.cpu(), self.backend.cpu()
                r = self.attempt(case, name, lambda: ask(front))
                if r is None:
                    continue
                each = r["requests"] / per
                r = {"rate": r["requests"] / r["secs"], "bytes": r["bytes"] / r["secs"] / 1e6, "p99": r["p99"], "p50": r["p50"],
                     "errors": r["errors"], "front": (front.cpu() - own) / each * 1e6, "back": (self.backend.cpu() - back) / each * 1e6}
                found.setdefault(name, []).append(r)
                self.rounds.append(dict(r, workload="proxy", case=case, server=name, role="subject" if name.startswith("millrace") else "peer",
                                        round=turn, cpu_req=r["front"]))
                print("  %-24s %-14s %9.0f/s  %7.0f MB/s  p50 %7.2f  p99 %7.2f ms  CPU %9.2f + %9.2f us" % (
                    case, name, r["rate"], r["bytes"], r["p50"], r["p99"], r["front"], r["back"]), flush=True)
        return {name: {key: statistics.median(r[key] for r in rounds) for key in rounds[0]} for name, rounds in found.items()}

    def attempt(self, case, name, ask):
        try:
            r = ask()
        except RuntimeError as e:
            return self.fail(case, name, e)
        if r["errors"]:
            self.fail(case, name, "%d errors" % r["errors"])
        return r

    def row(self, what, values, form):
        self.table.append("| %s | %s |" % (what, " | ".join(
            form(values[name]) if name in values else "–" for name in self.columns)))

    def hello(self):
        medians = self.turns("hello c=40", lambda front: self.load.wrk(bench.url(front, "/hello"), 40, self.cfg.time), 3)
        self.row("hello, c=40, requests/s", medians, lambda r: "%.0f" % r["rate"])
        self.row("CPU of the proxy for each, µs", medians, lambda r: "%.1f" % r["front"])
        self.row("p99, ms", medians, lambda r: "%.2f" % r["p99"])

    def latency(self):
        """At a rate that each can take."""
        rate = self.cfg.rate
        medians = self.turns("hello, %d/s" % rate, lambda front: self.load.h2load(
            bench.url(front, "/hello"), 40, 1, self.cfg.time, rate=rate), 1)
        self.row("p50 at %d/s, ms" % rate, medians, lambda r: "%.2f" % r["p50"])
        self.row("p99 at %d/s, ms" % rate, medians, lambda r: "%.2f" % r["p99"])

    def download(self):
        medians = self.turns("700 MB", lambda front: self.load.own(
            "sink", port=front.port, path="/dynamic?size=%d&cl=1" % BIG, size=BIG), 1, per=BIG / 1e9)
        self.row("700 MB, one response, MB/s", medians, lambda r: "%.0f" % r["bytes"])
        self.row("CPU of the proxy for a GB, s", medians, lambda r: "%.2f" % (r["front"] / 1e6))
        self.row("CPU of the backend for a GB, s", medians, lambda r: "%.2f" % (r["back"] / 1e6))

    def slow(self):
        idle = {name: front.threads() for name, front in self.fronts().items()}
        for count in SLOW:
            more = {}
            for name, front in self.fronts().items():
                try:
                    more[name] = (idle[name],) + self.slow_responses(front, count)
                except RuntimeError as e:
                    self.fail("%d slow" % count, name, e)
                print("  %-24s %-14s threads: idle %d, meanwhile %d, of the backend %d" % (
                    "%d slow" % count, name, *more.get(name, (0, 0, 0))), flush=True)
            self.row("%d slow responses, threads: idle / meanwhile / of the backend" % count, more, lambda r: "%d / %d / %d" % r)

    def slow_responses(self, front, count):
        """Threads of the proxy and of the backend while all wait."""
        client = bench.Held(self.load, "slow1", script="mux_clients.py", port=front.port, path="/asleep?ms=4000", n=count)
        try:
            client.line()
            time.sleep(2)
            threads = front.threads(), self.backend.threads()
            done = client.line()
        finally:
            client.stop()
        if done["requests"] != count:
            raise RuntimeError("%d of %d answered" % (done["requests"], count))
        return threads


def main():
    p = bench.parser(__doc__)
    p.add_argument("--proxies", default=",".join(PROXIES))
    p.add_argument("--only", default="", help="regular expression: only rows of which the name matches")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--time", type=int, default=3, help="seconds of a round")
    p.add_argument("--rate", type=int, default=8000, help="requests a second of the row latency")
    args = p.parse_args()
    proxies = args.proxies.split(",")
    unknown = [name for name in proxies if name not in PROXIES]
    if unknown:
        p.error("unknown: %s; expected some of %s" % (",".join(unknown), ",".join(PROXIES)))
    cfg = bench.prepared(args, native_flag="", proxies=proxies, ajp_port=args.base_port + 90)
    raise_nofile()
    row = bench.catalogue()["millrace-nio"]
    backend = bench.Server(SimpleNamespace(**{**vars(cfg), "server_cpus": cfg.client_cpus}), dict(row, features=["servlet"]), 0)
    if bench.listens(backend.base):
        sys.exit("proxy.py: port %d is taken; --base-port chooses others" % backend.base)
    backend.start(extra_env={"AJP_PORT": str(cfg.ajp_port), "MILLRACE_PROTOCOLS": PROTOCOLS})
    comparison, began, load0 = Comparison(cfg, backend), time.time(), os.getloadavg()
    try:
        comparison.start()
        for name in ("hello", "latency", "download", "slow"):
            if re.search(cfg.only, name):
                getattr(comparison, name)()
    finally:
        comparison.stop()
        backend.stop()
    bench.save(cfg, began, load0, comparison.rounds, comparison.notes, {"millrace": bench.server_version(row)},
               "%d of %d s" % (cfg.rounds, cfg.time))
    print("\nJava %s, %s\n" % (bench.java_version(cfg.java), cfg.jvm))
    print("| | %s |\n|---|%s" % (" | ".join(comparison.columns), "---:|" * len(comparison.columns)))
    print("\n".join(comparison.table))
    sys.exit(1 if comparison.failed else 0)


if __name__ == "__main__":
    main()
