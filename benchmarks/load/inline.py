#!/usr/bin/env python3
"""Short work on the thread that has read it (the attribute inlineShort), switched on and off by turns, beside peers.

  inline.py                                 the whole table
  inline.py --only 'hello|sleeps'           some rows (hello, json, sleeps, blocks, itself, isolated, skewed, streams, file, computes)
  inline.py --transports nio,apr --peers netty

The server has one core and the load generator the other, except in the row "skewed". See README.md.
"""
import os, re, selectors, socket, statistics, sys, threading, time

import bench
from clients import raise_nofile
from streams import PROTOCOLS

REQUEST = b"GET /hello HTTP/1.1\r\nHost: h\r\n\r\n"
LENGTH = re.compile(rb"content-length: *(\d+)", re.I)


def answer(connection):
    """Reads one response."""
    data = b""
    while True:
        more = connection.recv(65536)
        if not more:
            raise RuntimeError("the server ended the connection")
        data += more
        head, found, body = data.partition(b"\r\n\r\n")
        if found and len(body) >= int(LENGTH.search(head).group(1)):
            return


def switches(server):
    """How often threads of the server have waited: voluntary context switches."""
    total = 0
    for pid in server.pids:
        for task in os.listdir("/proc/%d/task" % pid):
            try:
                with open("/proc/%d/task/%s/status" % (pid, task)) as f:
                    total += int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", f.read()).group(1))
            except OSError:
                pass
    return total


class Table:
    def __init__(self, cfg, rows):
        self.cfg, self.rows, self.load = cfg, rows, bench.Load(cfg)
        self.table, self.rounds, self.notes, self.failed = [], [], [], False

    def contestants(self, peers):
        names = []
        for transport in self.cfg.transports:
            names += [("millrace-%s" % transport, "off"), ("millrace-%s" % transport, "on")]
        return names + [(peer, "") for peer in (self.cfg.peers if peers else [])]

    def started(self, peers, first):
        servers = {}
        for index, (name, switch) in enumerate(self.contestants(peers)):
            env = {"MILLRACE_PROTOCOLS": PROTOCOLS}
            if switch:
                env["MILLRACE_CONNECTOR"] = 'inlineShort="%s"' % ("true" if switch == "on" else "false")
            server = bench.Server(self.cfg, self.rows[name], first + index)
            server.start(extra_env=env)
            servers[(name + " " + switch).strip()] = server
        return servers

    def row(self, case, measure, peers=False, warm=None, keys=("rate", "cpu", "p50", "p99"), servers=None):
        """All are warmed up, then take turns; medians. measure: a function of a server and seconds."""
        if not re.search(self.cfg.only, case):
            return
        for name, server in servers.items():
            if not peers and not name.startswith("millrace"):
                continue
            began = time.monotonic()
            while time.monotonic() - began < self.cfg.warm:
                bench.patient(warm or measure, server, 2)
        found = {}
        for turn in range(self.cfg.rounds):
            for name, server in servers.items():
                if not peers and not name.startswith("millrace"):
                    continue
                cpu = server.cpu()
                r = bench.patient(measure, server, self.cfg.time)
                r["rate"] = r["requests"] / r["secs"]
                r.setdefault("cpu", (server.cpu() - cpu) / max(1, r["requests"]) * 1e6)
                found.setdefault(name, []).append(r)
                self.rounds.append(dict(r, workload="inline", case=case, server=name, role=server.role, round=turn))
                if r.get("errors"):
                    self.notes.append("%s / %s: %d errors" % (case, name, r["errors"]))
                    self.failed = True
                print("  %-28s %-20s %s" % (case, name, "  ".join("%s=%.4g" % (k, r[k]) for k in keys)), flush=True)
        for name, rounds in found.items():
            middle = [statistics.median(r[k] for r in rounds) for k in keys]
            self.table.append("| %s | %s | %s |" % (case, name, ", ".join(
                "%s %.4g" % pair for pair in zip(keys, middle))))

    # ---- what is measured

    def get(self, path, connections, mix=()):
        return lambda server, secs: self.load.wrk(bench.url(server, path), connections, secs, mix=mix)

    def beside(self, others, path="/hello", connections=40):
        """What ordinary requests get while others run: a function of server and seconds."""
        def measure(server, secs):
            threads = [threading.Thread(target=other, args=(server, secs + 1)) for other in others]
            for thread in threads:
                thread.start()
            try:
                return self.load.wrk(bench.url(server, path), connections, secs)
            finally:
                for thread in threads:
                    thread.join()
        return measure

    def isolated(self, rate):
        """One client that asks so many times a second, on one connection."""
        def measure(server, secs):
            secs = max(secs, 3)
            times = []
            with socket.create_connection((bench.HOST, server.port)) as connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                before, began = switches(server), time.perf_counter()
                for i in range(int(secs * rate)):
                    pause = began + i / rate - time.perf_counter()
                    if pause > 0:
                        time.sleep(pause)
                    sent = time.perf_counter()
                    connection.sendall(REQUEST)
                    answer(connection)
                    times.append((time.perf_counter() - sent) * 1e3)
                took = time.perf_counter() - began
                times.sort()
                return {"requests": len(times), "bytes": 0, "secs": took, "errors": 0, "p50": times[len(times) // 2],
                        "p99": times[len(times) * 99 // 100], "switches": (switches(server) - before) / len(times)}
        return measure

    def skewed(self, server, secs):
        """Connections are given to event loops by turns: each second one is busy, so that one of two loops has all the work."""
        poll, count, open_now = selectors.DefaultSelector(), 0, []
        try:
            for i in range(2 * 1000):
                open_now.append(socket.create_connection((bench.HOST, server.port)))
            for connection in open_now[::2]:
                poll.register(connection, selectors.EVENT_READ)
                connection.sendall(REQUEST)
            began = time.perf_counter()
            while time.perf_counter() - began < secs:
                for key, _ in poll.select(1):
                    key.fileobj.recv(65536)
                    key.fileobj.sendall(REQUEST)
                    count += 1
            return {"requests": count, "bytes": 0, "secs": time.perf_counter() - began, "errors": 0, "p50": 0, "p99": 0}
        finally:
            for connection in open_now:
                connection.close()

    def run(self):
        pinned = self.started(True, 0)
        try:
            self.all_pinned(pinned)
        finally:
            for server in pinned.values():
                server.stop()
        if re.search(self.cfg.only, "skewed, unpinned"):
            self.cfg.server_cpus = self.cfg.client_cpus = ""
            os.sched_setaffinity(0, range(os.cpu_count()))
            unpinned = self.started(False, 40)
            try:
                self.row("skewed, unpinned", self.skewed, keys=("rate", "cpu"), servers=unpinned)
            finally:
                for server in unpinned.values():
                    server.stop()

    def all_pinned(self, servers):
        for connections in (4, 40, 1000):
            self.row("hello c=%d" % connections, self.get("/hello", connections), True, servers=servers)
        self.row("json c=40", self.get("/json", 40), True, servers=servers)
        seldom = ["/sleep?ms=0"] * 999 + ["/sleep?ms=20"]
        self.row("sleeps 20 ms of 1,000", self.beside([self.get("/sleep", 4, seldom)]), servers=servers)
        for connections in (40, 1000):
            self.row("blocks 2 ms c=%d" % connections, self.get("/sleep?ms=2", connections), servers=servers)
        self.row("itself c=8", self.get("/itself", 8), servers=servers)
        for rate in (20, 100, 500, 2000):
            self.row("isolated %d/s" % rate, self.isolated(rate), keys=("switches", "p50", "p99"), servers=servers)
        self.row("streams c=4 m=100", lambda server, secs: self.load.h2load(bench.url(server, "/hello"), 4, 100, secs),
                 servers=servers)
        self.row("file 4k c=40", self.get("/file/4k.bin", 40), servers=servers)
        few = ["/fib?n=1"] * 99 + ["/fib?n=36"]
        self.row("computes 50 ms of 100", self.beside([self.get("/fib", 4, few)]), servers=servers)


def main():
    p = bench.parser(__doc__)
    p.add_argument("--only", default="", help="regular expression: only cases that match")
    p.add_argument("--transports", default="nio,apr")
    p.add_argument("--peers", default="tomcat9-nio,undertow,netty", help="in the rows of hello and JSON; empty: none")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--time", type=int, default=3, help="seconds per round")
    p.add_argument("--warm", type=int, default=8, help="seconds of warm-up per case")
    p.add_argument("--note", default="")
    args = p.parse_args()
    began, load0 = time.time(), os.getloadavg()
    cfg = bench.prepared(args, transports=args.transports.split(","), peers=[x for x in args.peers.split(",") if x])
    os.sched_setaffinity(0, {1})
    raise_nofile()
    rows = bench.catalogue()
    table = Table(cfg, rows)
    table.run()
    versions = {name: bench.server_version(rows[name]) for name, _ in table.contestants(True)}
    stem, meta = bench.save(cfg, began, load0, table.rounds, table.notes, versions, cfg.rounds)
    text = "\n".join(["| row | server | medians |", "| --- | --- | --- |"] + table.table + table.notes)
    with open(stem + ".md", "w") as f:
        f.write("\n".join("%s: %s  " % pair for pair in meta.items()) + "\n\n" + text + "\n")
    print("\n" + text)
    sys.exit(1 if table.failed else 0)


if __name__ == "__main__":
    main()
