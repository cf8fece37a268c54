#!/usr/bin/env python3
"""WebSockets of Millrace beside those of its peers: the same JSR 356 endpoints (peers/websocket), one load generator.

  websocket.py                              the whole table
  websocket.py --only echo --servers a,b    some rows, some servers of servers.json
  websocket.py --only 'memory|threads'

Rows: echo (1,000 connections, one message under way on each), broadcast (1 KB to 10,000 sessions, the next once all have it), and
in fresh processes 20,000 sessions that are idle after one echo of 1 KB each, without and with permessage-deflate. See README.md.
"""
import json, os, re, statistics, subprocess, sys, time

import bench
from clients import raise_nofile

LOAD = os.path.join(bench.BENCH, "peers", "websocket", "target", "classes")
# Tomcat's 20,000 sessions do not fit 1 GB; touched in advance, so that what a process grows by is native memory
TOUCHED = "-Xms3g -Xmx3g -XX:+AlwaysPreTouch"
# the rows of the table: name, connections, bytes, kind
ECHOES = (("echo 125 B", 1000, 125, "text"), ("echo 64 KiB", 1000, 65536, "binary"))


class Generator:
    """bench.websocket.Load, which prints a line when its connections are open and one for each line that it gets."""

    def __init__(self, cfg, kind, port, *more):
        cmd = [cfg.java, "-Xmx512m", "-XX:+UseSerialGC", "-cp", LOAD, "bench.websocket.Load", kind, str(port)]
        cmd += [str(word) for word in more]
        if cfg.client_cpus:
            cmd = ["taskset", "-c", cfg.client_cpus] + cmd
        self.process = subprocess.Popen(cmd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        bench.LIVE.append(self.process)
        try:
            self.opened = self.line()
        except BaseException:
            self.stop()
            raise

    def line(self):
        text = self.process.stdout.readline()
        result = json.loads(text) if text else {"error": "the load generator ended"}
        if "error" in result:
            raise RuntimeError(result["error"])
        return result

    def run(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.line()

    def stop(self):
        bench.stop_process(self.process)


class Comparison:
    def __init__(self, cfg, rows):
        self.cfg, self.rows, self.failed = cfg, rows, False
        self.table, self.rounds, self.notes = [], [], []

    def start(self, index, row, extra_jvm="", extra_env=None):
        """extra_jvm overrides options of all; the last of the same kind counts."""
        server = bench.Server(self.cfg, row, index)
        if bench.listens(server.base):
            raise RuntimeError("port %d is taken; --base-port chooses others" % server.base)
        server.start(extra_jvm=extra_jvm, extra_env=dict({"WEBSOCKET": "1"}, **(extra_env or {})))
        return server

    def each(self, case, measure):
        """What measure finds for each server; none where it fails."""
        found = {}
        for index, row in enumerate(self.rows):
            try:
                found[row["name"]] = measure(index, row)
            except (RuntimeError, OSError) as e:
                self.fail(case, row["name"], e)
        return found

    def by_turns(self, case, kind, *more, env=None):
        """Messages a second and CPU µs for each: all servers are up and warm, then take turns; medians."""
        servers = self.each(case, lambda index, row: self.start(index, row, extra_env=env))
        held, results = {}, {}
        try:
            for name, server in list(servers.items()):
                try:
                    held[name] = Generator(self.cfg, kind, server.port, *more)
                    until = time.monotonic() + self.cfg.warm
                    while time.monotonic() < until:
                        held[name].run()
                except RuntimeError as e:
                    self.lose(case, name, e, held)
            for turn in range(self.cfg.rounds):
                for name in list(held):
                    try:
                        cpu = servers[name].cpu()
                        result = held[name].run()
                    except RuntimeError as e:
                        self.lose(case, name, e, held)
                        continue
                    result["cpu"] = (servers[name].cpu() - cpu) / result["requests"] * 1e6
                    result["rate"] = result["requests"] / result["secs"]
                    results.setdefault(name, []).append(result)
                    self.rounds.append(dict(result, workload="websocket", case=case, server=name, role=servers[name].role, round=turn,
                                            cpu_req=result["cpu"]))
                    print("  %-28s %-14s %9.0f/s  CPU %6.2f us  p50 %7.2f ms  p99 %7.2f ms" % (
                        case, name, result["rate"], result["cpu"], result["p50"], result["p99"]), flush=True)
        finally:
            for generator in held.values():
                generator.stop()
            for server in servers.values():
                server.stop()
        middle = {key: {name: statistics.median(r[key] for r in rounds) for name, rounds in results.items()}
                  for key in ("rate", "cpu", "p99")}
        self.add(case + ", messages/s", middle["rate"], "%.0f", more=True)
        self.add(case + ", CPU µs each", middle["cpu"], "%.2f")
        self.add(case + ", p99 ms", middle["p99"], "%.2f")

    def lose(self, case, name, e, held):
        if name in held:
            held.pop(name).stop()
        self.fail(case, name, e)

    def fail(self, case, name, why):
        self.failed = True
        self.notes.append("%s / %s: %s" % (case, name, why))
        print("  %-28s %-14s FAILED: %s" % (case, name, why), flush=True)

    def idle(self, index, row, count, deflate):
        """KB of heap and native memory for each session, and threads beyond those of the idle server."""
        server = self.start(index, row, extra_jvm=TOUCHED)
        generator = None
        try:
            for options in ((), ("deflate",)):  # classes loaded and compiled, pools filled
                warm = Generator(self.cfg, "hold", server.port, 1000, *options)
                for _ in range(10):
                    warm.run()
                warm.stop()
            time.sleep(1)
            before, native, threads = server.stats("?gc=1"), server.mem(), server.threads()
            generator = Generator(self.cfg, "hold", server.port, count, *(("deflate",) if deflate else ()))
            generator.run()
            time.sleep(1)
            after = server.stats("?gc=1")
            time.sleep(0.3)
            heap = (after["heapUsed"] - before["heapUsed"]) / count / 1024
            native = (server.mem() - native) / count / 1024
            result = {"heap": heap, "native": native, "both": heap + native, "threads": server.threads() - threads}
            generator.run()  # all sessions still answer
            self.rounds.append({"workload": "websocket", "case": "%d idle%s" % (count, ", deflate" if deflate else ""), "server": row["name"],
                                "role": server.role, "round": 0, "errors": 0, "kb_conn": result["both"], "threads": result["threads"]})
            print("  %-28s %-14s heap %6.2f KB  native %6.2f KB  threads %+d" % (
                "%d idle%s" % (count, ", deflate" if deflate else ""), row["name"], heap, native, result["threads"]), flush=True)
            return result
        finally:
            if generator:
                generator.stop()
            server.stop()

    def memory(self, count):
        found = {}
        for deflate in (False, True):
            case = "%d idle sessions%s" % (count, ", deflate" if deflate else "")
            found[deflate] = self.each(case, lambda index, row: self.idle(index, row, count, deflate))
        plain, packed = found[False], found[True]
        self.add("KB of an idle session", {name: r["both"] for name, r in plain.items()}, "%.2f")
        self.add("KB of an idle session with deflate", {name: r["both"] for name, r in packed.items()}, "%.2f")
        self.add("memory with deflate ÷ without",
                 {name: r["both"] / plain[name]["both"] for name, r in packed.items() if name in plain}, "%.2f", ratio=False)
        self.add("threads for %d sessions" % count, {name: r["threads"] for name, r in plain.items()}, "%d", ratio=False)

    def add(self, case, values, form, more=False, ratio=True):
        """A row of the table; with the ratio of the first server to the best of the others, above 1 if it is better."""
        cells = [form % values[row["name"]] if row["name"] in values else "–" for row in self.rows]
        mine, others = values.get(self.rows[0]["name"]), [v for n, v in values.items() if n != self.rows[0]["name"]]
        best = ""
        if ratio and mine and others:
            best = "%.2f" % (mine / max(others) if more else min(others) / mine)
        self.table.append("| %s | %s | %s |" % (case, " | ".join(cells), best))


def main():
    p = bench.parser(__doc__, jvm="-Xms1g -Xmx1g -XX:+UseSerialGC")
    p.add_argument("--servers", default="millrace-nio,tomcat9-nio,undertow,jetty12", help="the first is compared with the others")
    p.add_argument("--only", default="", help="regular expression: only rows of which the name matches (echo, broadcast, memory)")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--time", type=int, default=3, help="seconds of a round")
    p.add_argument("--warm", type=int, default=15, help="seconds of warm-up of each server")
    p.add_argument("--sessions", type=int, default=20_000, help="idle sessions")
    args = p.parse_args()
    cfg = bench.prepared(args)
    most = raise_nofile()
    sessions = min(cfg.sessions, most - 500)
    rows = bench.catalogue()
    names = cfg.servers.split(",")
    comparison, began, load0 = Comparison(cfg, [rows[name] for name in names]), time.time(), os.getloadavg()
    wanted = lambda name: re.search(cfg.only, name)
    for case, connections, size, kind in ECHOES:
        if wanted(case):
            comparison.by_turns(case, "echo", connections, size, cfg.time, kind,
                                env={"MESSAGE_SIZE": "65536"} if size > 8192 else None)
    if wanted("broadcast"):
        comparison.by_turns("broadcast to 10,000", "broadcast", min(10_000, sessions), cfg.time)
    if wanted("memory"):
        if sessions < cfg.sessions:
            print("%d sessions: a process may have %d descriptors (ulimit -Hn)" % (sessions, most), flush=True)
        comparison.memory(sessions)
    versions = {name: bench.server_version(rows[name]) for name in names}
    bench.save(cfg, began, load0, comparison.rounds, comparison.notes, versions,
               "%d of %d s, warm-up %d s" % (cfg.rounds, cfg.time, cfg.warm))
    print("\nJava %s, %s; %s\n" % (bench.java_version(cfg.java), cfg.jvm, ", ".join("%s %s" % each for each in versions.items())))
    print("| | " + " | ".join(names) + " | × best of the others |")
    print("|---|" + "---:|" * (len(names) + 1))
    print("\n".join(comparison.table))
    sys.exit(1 if comparison.failed else 0)


if __name__ == "__main__":
    main()
