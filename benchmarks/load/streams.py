#!/usr/bin/env python3
"""HTTP/2 and SPDY/3.1 of Millrace beside HTTP/1.1 and its peers.

  streams.py                                the whole table
  streams.py --only 'hello|writes'          some rows (hello, one stream, writes, shared, download, slow, idle, allocation)
  streams.py --only hello --servers a,b     some servers of servers.json in the rows that compare servers

The server has one core, the load generator the other. See README.md.
"""
import os, re, statistics, sys, time
from types import SimpleNamespace

import bench
from allocation import JVM as ALLOCATION_JVM
from clients import raise_nofile

PROTOCOLS = ('<UpgradeProtocol className="org.apache.coyote.http2.Http2Protocol" maxConcurrentStreams="1000" '
             'maxConcurrentStreamExecution="1000" />'
             '<UpgradeProtocol className="io.millrace.connector.spdy.SpdyProtocol" />')
BIG = 700 << 20
MOST_STREAMS = 1_000
IDLE = 5_000


class Streams:
    def __init__(self, cfg, rows):
        self.cfg, self.rows, self.load = cfg, rows, bench.Load(cfg)
        self.table, self.failed, self.rounds, self.notes = [], False, [], []

    def start(self, name, index=0, protocols=PROTOCOLS, **more):
        server = bench.Server(self.cfg, self.rows[name], index)
        if bench.listens(server.base):
            raise RuntimeError("port %d is taken; --base-port chooses others" % server.base)
        server.start(extra_env={"MILLRACE_PROTOCOLS": protocols}, **more)
        return server

    def turns(self, case, contestants):
        """contestants: name → (server, function of seconds). Medians by name of what the functions and CPU clocks say."""
        found, left = {}, dict(contestants)
        for name, (server, measure) in contestants.items():
            try:
                self.warm(measure)
            except RuntimeError as e:
                self.fail(case, name, e)
                del left[name]
        for turn in range(self.cfg.rounds):
            for name, (server, measure) in list(left.items()):
                def timed():
                    cpu = server.cpu()
                    r = measure(self.cfg.time)
                    r["cpu"] = (server.cpu() - cpu) / r["requests"] * 1e6
                    r["rate"] = r["requests"] / r["secs"]
                    return r

                try:
                    r = bench.patient(timed)
                except RuntimeError as e:
                    self.fail(case, name, e)
                    del left[name]
                    continue
                if r["errors"]:
                    self.fail(case, name, "%d errors" % r["errors"])
                found.setdefault(name, []).append(r)
                self.rounds.append(dict(r, workload="h2", case=case, server=name, role=server.role, round=turn, cpu_req=r["cpu"]))
                print("  %-30s %-24s %9.0f/s  CPU %6.2f us  p99 %7.2f ms  %6.0f MB/s" % (
                    case, name, r["rate"], r["cpu"], r["p99"], r["bytes"] / r["secs"] / 1e6), flush=True)
        return {name: {key: statistics.median(r[key] for r in rounds) for key in ("rate", "cpu", "p99")}
                for name, rounds in found.items()}

    def warm(self, measure):
        """Until it gets no faster: three pieces of 2 s in a row less than 5 % above one before them; or for cfg.warm seconds."""
        best, level, began = 0, 0, time.monotonic()
        while level < 3 and time.monotonic() - began < self.cfg.warm:
            r = bench.patient(measure, 2)
            rate = r["requests"] / r["secs"]
            best, level = (best, level + 1) if rate < 1.05 * best else (rate, 0)

    def fail(self, case, name, why):
        self.failed = True
        self.notes.append("%s / %s: %s" % (case, name, why))
        print("  %-30s %-24s FAILED: %s" % (case, name, why), flush=True)

    def row(self, what, value, against=""):
        self.table.append("| %s | %s | %s |" % (what, value, against))

    # ---- HTTP/2 over TLS beside its peers

    def hello(self):
        servers = {}
        try:
            for index, name in enumerate(self.cfg.servers.split(",")):
                try:
                    servers[name] = self.start(name, index)
                except (RuntimeError, OSError) as e:
                    self.fail("hello", name, e)
            for c, m in (tuple(map(int, each.split("x"))) for each in self.cfg.streams.split(",")):
                case = "h2 TLS hello -c%d -m%d" % (c, m)
                ask = lambda s: lambda secs: self.load.h2load(bench.url(s, "/hello", True), c, m, secs)
                medians = self.turns(case, {name: (s, ask(s)) for name, s in servers.items()})
                first = next(iter(medians.values()), None)
                for name, r in medians.items():
                    self.row(case + ", " + name, "%.0f/s, CPU %.2f µs, p99 %.1f ms" % (r["rate"], r["cpu"], r["p99"]),
                             "%.2f, CPU %.2f" % (first["rate"] / r["rate"], r["cpu"] / first["cpu"]))
        finally:
            for server in servers.values():
                server.stop()

    # ---- one server, HTTP/2 beside HTTP/1.1

    def h1(self, server):
        """HTTP/1.1 by the same generator as HTTP/2."""
        return lambda secs: self.load.h2load(bench.url(server, "/hello"), 40, 1, secs, h1=True)

    def one_stream(self):
        server = self.start(self.cfg.subject)
        try:
            medians = self.turns("h2c -m1 c=40", {
                "HTTP/1.1": (server, self.h1(server)),
                "h2c": (server, lambda secs: self.load.h2load(bench.url(server, "/hello"), 40, 1, secs))})
            if len(medians) < 2:
                return
            self.row("h2c -m1 c=40, hello × HTTP/1.1", "%.0f/s" % medians["h2c"]["rate"],
                     "%.2f, CPU %.2f" % (medians["h2c"]["rate"] / medians["HTTP/1.1"]["rate"],
                                         medians["HTTP/1.1"]["cpu"] / medians["h2c"]["cpu"]))
        finally:
            server.stop()

    def writes(self):
        server = self.start(self.cfg.subject)
        try:
            for m in (100, 1):
                self.load.h2load(bench.url(server, "/hello"), 10, m, self.cfg.warm)
                before = sum(map(write_calls, server.pids))
                r = self.load.h2load(bench.url(server, "/hello"), 10, m, self.cfg.time)
                self.row("write calls for a response, -m%d" % m,
                         "%.3f" % ((sum(map(write_calls, server.pids)) - before) / r["requests"]))
        finally:
            server.stop()

    def shared(self):
        """HTTP/1.1 on a port that offers HTTP/2 and SPDY as well, and on one that does not."""
        servers = {}
        try:
            servers["alone"] = self.start(self.cfg.subject, 0, protocols="")
            servers["with h2"] = self.start(self.cfg.subject, 1)
            medians = self.turns("HTTP/1.1 hello c=40", {name: (s, lambda secs, s=s: self.load.wrk(
                bench.url(s, "/hello"), 40, secs)) for name, s in servers.items()})
            if len(medians) < 2:
                return
            self.row("HTTP/1.1 hello where h2 is offered × where not", "%.0f/s" % medians["with h2"]["rate"],
                     "%.2f, CPU %.2f" % (medians["with h2"]["rate"] / medians["alone"]["rate"],
                                         medians["alone"]["cpu"] / medians["with h2"]["cpu"]))
        finally:
            for server in servers.values():
                server.stop()

    def download(self):
        server = self.start(self.cfg.subject)
        path = "/dynamic?size=%d&cl=1" % BIG
        asks = {"HTTP/1.1": lambda: self.load.h2load_once(bench.url(server, path), "--h1"),
                "h2c, 1 MiB window": lambda: self.load.h2load_once(bench.url(server, path), "-w20", "-W20"),
                "SPDY/3.1, 64 KiB window": lambda: self.load.own(
                    "spdy", script="mux_clients.py", port=server.port, path=path, window=64 << 10),
                "SPDY/3.1, 128 KiB window": lambda: self.load.own(
                    "spdy", script="mux_clients.py", port=server.port, path=path, window=128 << 10)}
        try:
            rates = {}
            for turn in range(self.cfg.rounds + 1):  # the first warms up
                for name, ask in asks.items():
                    cpu = server.cpu()
                    r = ask()
                    if r["bytes"] < BIG:
                        raise RuntimeError("%s: %d of %d bytes" % (name, r["bytes"], BIG))
                    print("  %-30s %-24s %6.0f MB/s  CPU %.2f s" % (
                        "700 MB", name, BIG / r["secs"] / 1e6, server.cpu() - cpu), flush=True)
                    if turn:
                        rates.setdefault(name, []).append(BIG / r["secs"] / 1e6)
            middle = {name: statistics.median(found) for name, found in rates.items()}
            for name, rate in middle.items():
                self.row("700 MB, one stream, " + name, "%.0f MB/s" % rate, "%.2f" % (rate / middle["HTTP/1.1"]))
        finally:
            server.stop()

    def slow(self):
        server = self.start(self.cfg.subject)
        try:
            self.load.h2load(bench.url(server, "/asleep?ms=10"), 1, 100, 2)
            time.sleep(1)
            idle = server.threads()
            client = bench.Held(self.load, "slow", script="mux_clients.py", port=server.port, path="/asleep?ms=4000",
                                n=MOST_STREAMS)
            try:
                client.line()  # all are sent
                time.sleep(1)
                meanwhile = server.threads()
                done = client.line()
            finally:
                client.stop()
            if done["requests"] != MOST_STREAMS:
                self.fail("slow", self.cfg.subject, "%d of %d answered" % (done["requests"], MOST_STREAMS))
            self.row("%d slow asynchronous streams on one connection, threads over idle" % MOST_STREAMS,
                     "%+d" % (meanwhile - idle))
        finally:
            server.stop()

    def idle(self):
        """Heap and native memory of an idle connection after one request, HTTP/2's over HTTP/1.1's."""
        kilobytes = {}
        for protocol in ("h1", "h2"):
            server = self.start(self.cfg.subject, extra_jvm="-XX:+AlwaysPreTouch")
            try:
                for _ in range(2):
                    self.hold(server, protocol, 1_000).stop()
                    time.sleep(1)
                before, native = server.stats("?gc=1"), server.mem()
                client = self.hold(server, protocol, IDLE)
                try:
                    time.sleep(1)
                    after = server.stats("?gc=1")
                    time.sleep(0.3)
                    kilobytes[protocol] = (after["heapUsed"] - before["heapUsed"]) / IDLE / 1024
                    native = (server.mem() - native) / IDLE / 1024
                    print("  %-30s %-24s heap %5.2f KB  native %5.2f KB" % (
                        "%d idle" % IDLE, protocol, kilobytes[protocol], native), flush=True)
                    kilobytes[protocol] += native
                finally:
                    client.stop()
            finally:
                server.stop()
        self.row("idle connection after one request, h2 (HTTP/1.1)", "%.2f (%.2f) KB" % (kilobytes["h2"], kilobytes["h1"]),
                 "%+.2f KB" % (kilobytes["h2"] - kilobytes["h1"]))

    def hold(self, server, protocol, count):
        client = bench.Held(self.load, "hold", script="mux_clients.py", port=server.port, n=count, protocol=protocol)
        client.line()
        return client

    def allocation(self):
        server = bench.Server(SimpleNamespace(**{**vars(self.cfg), "jvm": ALLOCATION_JVM % {"heap": "3g"}}),
                              self.rows[self.cfg.subject], 0)
        server.start(extra_env={"MILLRACE_PROTOCOLS": PROTOCOLS})
        each = {}
        try:
            for name, how in (("HTTP/1.1", ("--h1",)), ("h2c", ("-m10",))):
                self.load.h2load_count(bench.url(server, "/hello"), 20_000, *how)
                before = server.stats()["heapUsed"]
                self.load.h2load_count(bench.url(server, "/hello"), 50_000, *how)
                each[name] = (server.stats()["heapUsed"] - before) / 50_000
        finally:
            server.stop()
        self.row("bytes allocated for a hello, h2c (HTTP/1.1)", "%.0f (%.0f)" % (each["h2c"], each["HTTP/1.1"]),
                 "%.2f" % (each["h2c"] / each["HTTP/1.1"]))


def write_calls(pid):
    with open("/proc/%d/io" % pid) as f:
        return int(re.search(r"syscw: (\d+)", f.read()).group(1))


def main():
    p = bench.parser(__doc__)
    p.add_argument("--servers", default="millrace-nio,millrace-nio-openssl,jetty12,tomcat9-nio,undertow,nginx",
                   help="of the rows that compare servers; the first is compared with the others")
    p.add_argument("--subject", default="millrace-nio", help="the server of all other rows")
    p.add_argument("--streams", default="10x32,40x100", help="connections x streams of the rows that compare servers")
    p.add_argument("--only", default="", help="regular expression: only rows of which the name matches")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--time", type=int, default=3, help="seconds of a round")
    p.add_argument("--warm", type=int, default=15, help="at most so many seconds of warm-up; less if a server gets no faster")
    args = p.parse_args()
    cfg = bench.prepared(args)
    raise_nofile()
    rows = bench.catalogue()
    streams, began, load0 = Streams(cfg, rows), time.time(), os.getloadavg()
    for name, measure in (("hello", streams.hello), ("one stream", streams.one_stream), ("writes", streams.writes),
                          ("shared", streams.shared), ("download", streams.download), ("slow", streams.slow),
                          ("idle", streams.idle), ("allocation", streams.allocation)):
        if re.search(cfg.only, name):
            try:
                measure()
            except (RuntimeError, OSError) as e:
                streams.fail(name, cfg.subject, e)
    versions = {name: bench.server_version(rows[name]) for name in cfg.servers.split(",")}
    bench.save(cfg, began, load0, streams.rounds, streams.notes, versions,
               "%d of %d s, warm-up %d s" % (cfg.rounds, cfg.time, cfg.warm))
    print("\nJava %s, %s; %s\n" % (bench.java_version(cfg.java), cfg.jvm, ", ".join("%s %s" % each for each in versions.items())))
    print("| | measured | ratio |\n|---|---:|---:|")
    print("\n".join(streams.table))
    sys.exit(1 if streams.failed else 0)


if __name__ == "__main__":
    main()
