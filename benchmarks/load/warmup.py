#!/usr/bin/env python3
"""How soon a server that was just started serves at its full rate, by the thresholds of its just-in-time compiler, beside peers.

  warmup.py                                 all variants and peers, all workloads: nine minutes
  warmup.py --only '700|hello' --time 20    some workloads (hello, 64 KiB, 700 MB, h2), for so many seconds each
  warmup.py --variants launcher,jvm --peers undertow
  warmup.py --variant 'mine=-XX:Tier4BackEdgeThreshold=60000'     one more variant of Millrace, by its JVM options

Each workload meets each server in a process that has answered one request. Rate and processor time are taken every half second, that
of compiler threads apart. See README.md.
"""
import os, re, statistics, sys, threading, time

import bench
from clients import raise_nofile
from streams import PROTOCOLS

WINDOW = 0.5  # seconds
BIG = 700 * 1000 * 1000
SHOWN = (0.5, 1, 2, 3, 5, 10)  # the rate at these seconds
FULL = 0.9  # the part of its last rate at which a server counts as warm
# options of the JVM after those of the start script, which they override
VARIANTS = {
    "launcher": "",
    "jvm": "-XX:Tier4InvocationThreshold=5000 -XX:Tier4MinInvocationThreshold=600 -XX:Tier4CompileThreshold=15000"
           " -XX:Tier4BackEdgeThreshold=40000",
    "back-edges": "-XX:Tier4BackEdgeThreshold=40000",
    "c1": "-XX:TieredStopAtLevel=1",
    "tripled": "-XX:CompileCommand=CompileThresholdScaling,io.millrace.*::*,1.0",
    "bytes": " ".join("-XX:CompileCommand=CompileThresholdScaling,%s::*,0.33" % code for code in (
        "sun.nio.ch.*", "java.nio.*", "jdk.internal.misc.*")),
}


def processor_time(server):
    """Seconds of the server's compiler threads, and of its other threads."""
    compilers = others = 0
    for pid in server.pids:
        for task in os.listdir("/proc/%d/task" % pid):
            try:
                with open("/proc/%d/task/%s/stat" % (pid, task)) as f:
                    name, _, rest = f.read().partition("(")[2].rpartition(")")
            except OSError:
                continue
            ticks = sum(int(each) for each in rest.split()[11:13])
            if re.match(r"C[12] Compiler", name):
                compilers += ticks
            else:
                others += ticks
    return compilers / bench.TICK, others / bench.TICK


def windows(times, secs):
    """How many of these seconds are in each window."""
    counts = [0] * int(secs / WINDOW)
    for each in times:
        at = int(each / WINDOW)
        if 0 <= at < len(counts):
            counts[at] += 1
    return counts


class Warmup:
    def __init__(self, cfg, rows):
        self.cfg, self.rows, self.load = cfg, rows, bench.Load(cfg)
        self.rounds, self.notes = [], []

    # ---- workloads: functions of a server that return what was done in each window

    def h2load(self, url, *how):
        log = os.path.join(self.cfg.tmp, "warmup.log")
        if os.path.exists(log):
            os.remove(log)
        began = time.time()
        self.load.run(["h2load", "-t1", "-D%d" % self.cfg.time, "--log-file=" + log, *how, url], timeout=self.cfg.time + 20)
        with open(log) as f:  # microseconds of the start, status, microseconds that it took
            lines = (line.split() for line in f)
            return windows((int(v[0]) / 1e6 + int(v[2]) / 1e6 - began for v in lines if len(v) > 2), self.cfg.time)

    def hello(self, server):
        return self.h2load(bench.url(server, "/hello"), "--h1", "-c40")

    def page(self, server):
        return self.h2load(bench.url(server, "/dynamic?size=65536&cl=1"), "--h1", "-c40")

    def streams(self, server):
        return self.h2load(bench.url(server, "/hello", True), "-c10", "-m32")

    def download(self, server):
        """In megabytes."""
        got = self.load.own("downloads", port=server.port, path="/dynamic?size=%d" % BIG, secs=self.cfg.time, window=WINDOW)
        return [each / 1e6 for each in got["windows"]]

    # ---- one server, from its start

    def measure(self, case, unit, work, name, server, options):
        server.start(fresh=True, extra_jvm=options, extra_env={"MILLRACE_PROTOCOLS": PROTOCOLS})
        try:
            start_cpu = sum(processor_time(server))
            samples, stop = [], threading.Event()

            def sample():
                due = time.perf_counter()
                while not stop.is_set():
                    samples.append(processor_time(server))
                    due += WINDOW
                    stop.wait(max(0, due - time.perf_counter()))

            sampler = threading.Thread(target=sample)
            sampler.start()
            try:
                done = work(server)
            finally:
                stop.set()
                sampler.join()
        finally:
            server.stop()
        rates = [each / WINDOW for each in done]
        level = statistics.median(rates[-max(2, len(rates) // 4):])
        warm = self.first_warm(rates, level)
        compiling = [later[0] - before[0] for before, later in zip(samples, samples[1:])]
        serving = [later[1] - before[1] for before, later in zip(samples, samples[1:])]
        r = {"workload": "warmup", "case": case, "server": name, "role": server.role, "round": 0, "unit": unit, "rates": rates,
             "level": level, "warm_secs": (warm + 1) * WINDOW, "warm_done": sum(done[:warm + 1]), "warm_compiling": sum(compiling[:warm + 1]),
             "compiling": compiling, "serving": serving, "start_cpu": start_cpu, "done5": sum(done[:int(5 / WINDOW)])}
        self.rounds.append(r)
        print("  %-8s %-12s %s" % (case, name, self.line(r)), flush=True)

    @staticmethod
    def first_warm(rates, level):
        """The first window from which on two in a row reach the full rate: one alone may be chance."""
        for at in range(len(rates) - 1):
            if min(rates[at], rates[at + 1]) >= FULL * level:
                return at
        return len(rates) - 1

    @staticmethod
    def line(r):
        shown = ["%.4g" % r["rates"][int(at / WINDOW) - 1] for at in SHOWN if at / WINDOW <= len(r["rates"])]
        return "start %.2f s CPU; %s; then %.4g %s; full after %.1f s and %.4g" % (
            r["start_cpu"], " ".join(shown), r["level"], r["unit"], r["warm_secs"], r["warm_done"])

    def run(self):
        contestants = [("millrace", variant, self.cfg.options[variant]) for variant in self.cfg.variants]
        contestants += [(peer, peer, "") for peer in self.cfg.peers]
        for case, unit, work in (("hello", "/s", self.hello), ("64 KiB", "/s", self.page), ("700 MB", "MB/s", self.download),
                                 ("h2", "/s", self.streams)):
            if not re.search(self.cfg.only, case):
                continue
            for kind, name, options in contestants:
                row = self.rows[self.cfg.server if kind == "millrace" else kind]
                try:
                    self.measure(case, unit, work, name, bench.Server(self.cfg, row, 0), options)
                except (RuntimeError, OSError) as e:
                    self.notes.append("%s / %s: %s" % (case, name, str(e)[:200]))
                    print("  %-8s %-12s FAILED: %s" % (case, name, e), flush=True)

    def table(self):
        best = {}
        for r in self.rounds:
            best[r["case"]] = max(best.get(r["case"], 0), r["level"])
        shown = [at for at in SHOWN if at <= self.cfg.time]
        yield "| workload | server | start, s CPU | %s | last, %% of the best | work in 5 s | full after s | … work | … s of compilers |" % (
            " | ".join("%g s" % at for at in shown))
        yield "|---|---|" + "---:|" * (len(shown) + 6)
        for r in self.rounds:
            most = best[r["case"]] or 1
            parts = ["%.0f" % (100 * r["rates"][int(at / WINDOW) - 1] / most) for at in shown]
            yield "| %s | %s | %.2f | %s | %.0f | %.4g | %.1f | %.4g | %.2f |" % (
                r["case"], r["server"], r["start_cpu"], " | ".join(parts), 100 * r["level"] / most, r["done5"], r["warm_secs"],
                r["warm_done"], r["warm_compiling"])


def main():
    p = bench.parser(__doc__)
    p.add_argument("--only", default="", help="regular expression: only workloads that match")
    p.add_argument("--server", default="millrace-nio", help="the row of servers.json that has the variants")
    p.add_argument("--variants", default=",".join(VARIANTS))
    p.add_argument("--variant", action="append", default=[], metavar="NAME=OPTIONS", help="a further variant; may be repeated")
    p.add_argument("--peers", default="tomcat9-nio,undertow", help="empty: none")
    p.add_argument("--time", type=int, default=15, help="seconds of each workload")
    p.add_argument("--note", default="")
    args = p.parse_args()
    options = {**VARIANTS, **dict(each.split("=", 1) for each in args.variant)}
    variants = [each for each in args.variants.split(",") if each] + [each.split("=", 1)[0] for each in args.variant]
    unknown = [each for each in variants if each not in options]
    if unknown:
        sys.exit("no such variant: %s; known: %s" % (", ".join(unknown), ", ".join(options)))
    began, load0 = time.time(), os.getloadavg()
    peers = [each for each in args.peers.split(",") if each]
    cfg = bench.prepared(args, options=options, variants=variants, peers=peers)
    if cfg.client_cpus.isdigit():
        os.sched_setaffinity(0, {int(cfg.client_cpus)})
    raise_nofile()
    rows = bench.catalogue()
    warmup = Warmup(cfg, rows)
    warmup.run()
    versions = {name: bench.server_version(rows[name]) for name in [cfg.server] + peers}
    stem, meta = bench.save(cfg, began, load0, warmup.rounds, warmup.notes, versions, "1 of %d s" % cfg.time)
    text = "\n".join(list(warmup.table()) + [""] + ["%s: `%s`  " % (name, options[name] or "as started") for name in variants] + warmup.notes)
    with open(stem + ".md", "w") as f:
        f.write("\n".join("%s: %s  " % pair for pair in meta.items()) + "\n\n" + text + "\n")
    print("\n" + text)
    sys.exit(1 if warmup.notes else 0)


if __name__ == "__main__":
    main()
