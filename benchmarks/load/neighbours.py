#!/usr/bin/env python3
"""Bad neighbours: what 40 ordinary clients get while others attack the same server.

  neighbours.py                         the whole table and its page (benchmarks/neighbours.md): less than 35 minutes
  neighbours.py --quick                 200 attackers of each kind for a second: less than 10 minutes; prints the table only
  neighbours.py --servers a,b --only h2 some servers, some kinds of attack (a regular expression); prints the table only
  neighbours.py --again                 what other programs disturbed of the page's table, and the page
  neighbours.py --render                measures nothing: the page from page/neighbours.json

The attacks are those of testkit's HostileClient, which `./verify` makes too. Each result is written to results/ as it comes. A server that
cannot be started is named and left out. See README.md and neighbours.md.
"""
import glob, json, os, re, resource, shutil, signal, subprocess, sys, time
from types import SimpleNamespace

import bench
from clients import get, raise_nofile
from page import fill, grid, machine

HOME = os.path.dirname(bench.BENCH)
PAGE, DATA = os.path.join(HOME, "neighbours.md"), os.path.join(HOME, "page", "neighbours.json")
TESTKIT = os.path.join(HOME, "..", "testkit", "src", "main", "java", "io", "millrace", "testkit")
KEPT, SLOWER = 0.85, 3.0  # what a good client must keep of its rate; how many times its p99 may be
GOOD = 40
ROUNDS, COMPILED = 3, 0.05  # how often a new server meets an attack at most, while its compilers take more than this part of a core
DISTURBED, TRIES = 0.1, 3  # measured again, so many times in all, if other programs use more than this part of the machine
SETTLE = 1  # seconds in which the ordinary clients are beside the attackers before they are measured

PROTOCOLS = ('<UpgradeProtocol className="org.apache.coyote.http2.Http2Protocol" />'
             '<UpgradeProtocol className="io.millrace.connector.spdy.SpdyProtocol" />')
KINDS = {  # kind of HostileClient: what it is
    "connects": "connections that are reset at once, 10 a second each",
    "h1-read": "HTTP/1.1: 8 MB read at a byte a second",
    "h1-file": "HTTP/1.1: a file of 8 MB read at a byte a second",
    "h1-pipeline": "HTTP/1.1: 100 requests for 8 MB at once, read at a byte a second",
    "h1-head": "HTTP/1.1: a head sent at a byte a second",
    "h1-body": "HTTP/1.1: a body sent at a byte a second",
    "h1-abort": "HTTP/1.1: resets within head, body, response, 5 a second each",
    "h2-windows": "HTTP/2: 100 streams for 1.5 MB each, windows of 0 opened by a byte",
    "h2-body": "HTTP/2: 100 bodies sent at a byte each five seconds",
    "h2-reset": "HTTP/2: rapid reset, 400 requests a second each",
    "h2-cookies": "HTTP/2: cookies that HPACK makes a hundred times as long, 100 requests a second each",
    "spdy-windows": "SPDY: as HTTP/2's windows",
    "spdy-body": "SPDY: as HTTP/2's bodies",
    "spdy-reset": "SPDY: as HTTP/2's resets",
    "ajp-read": "AJP: 8 MB read at a byte a second",
    "ajp-body": "AJP: bodies sent at a byte a second",
}
CONTROLS = {  # of attacks that come often: as many connections of ordinary clients, as often; HostileKind describes them
    "connects": "connects-fair", "h1-abort": "h1-fair", "h2-reset": "h2-fair-400", "h2-cookies": "h2-fair-100", "spdy-reset": "spdy-fair",
}
CONTROLLED = 200  # with fewer they would take nothing that can be measured
H1, H2 = ["connects", "h1-read", "h1-file", "h1-pipeline", "h1-head", "h1-body", "h1-abort"], ["h2-windows", "h2-body", "h2-reset", "h2-cookies"]
SPDY, AJP = ["spdy-windows", "spdy-body", "spdy-reset"], ["ajp-read", "ajp-body"]
MILLRACE_PROXY = "sh {bench}/proxies/millrace.sh nio {java} {jvm}"
# name: kinds, row of servers.json or command, port of HTTP/2 if it has one of its own, more environment
SERVERS = {
    "millrace-nio": (H1 + H2 + SPDY + AJP, "millrace-nio", {"MILLRACE_PROTOCOLS": PROTOCOLS}),
    "tomcat9-nio": (H1 + H2 + AJP, "tomcat9-nio", {"H2C": "1"}),
    "nginx": (H1 + H2, "nginx", {}),
    "proxy-millrace": (H1 + H2 + SPDY, MILLRACE_PROXY, {"BACKEND_SCHEME": "http", "PROXY_LIMITS": "", "MILLRACE_PROTOCOLS": PROTOCOLS}),
    "proxy-nginx": (H1 + H2, "sh {bench}/proxies/nginx.sh", {"TEMP_FILES": "#"}),
    "proxy-haproxy": (H1 + H2, "sh {bench}/proxies/haproxy.sh", {}),
    "millrace-bio": (H1 + H2 + SPDY + AJP, "millrace-bio", {"MILLRACE_PROTOCOLS": PROTOCOLS}),
    "millrace-nio2": (H1 + H2 + SPDY + AJP, "millrace-nio2", {"MILLRACE_PROTOCOLS": PROTOCOLS}),
    "millrace-apr": (H1 + H2 + SPDY + AJP, "millrace-apr", {"MILLRACE_PROTOCOLS": PROTOCOLS}),
    "proxy-millrace-h2c": (H1 + H2 + SPDY, MILLRACE_PROXY, {"BACKEND_SCHEME": "h2c", "PROXY_LIMITS": "", "MILLRACE_PROTOCOLS": PROTOCOLS}),
    "tomcat9-nio2": (H1 + H2 + AJP, "tomcat9-nio2", {"H2C": "1"}),
}
DEFAULT = [name for name in SERVERS if name != "tomcat9-nio2"]
FEW = ("millrace-nio",)  # measured beside two attackers too
OWN_H2_PORT = ("nginx", "proxy-nginx")


class Attacker:
    """HostileClient in a process of its own, for the whole run."""

    def __init__(self, cfg, load):
        classes = os.path.join(cfg.tmp, "hostile")
        subprocess.run([os.path.join(os.path.dirname(cfg.java), "javac"), "-d", classes, *glob.glob(os.path.join(TESTKIT, "Hostile*.java"))],
                       check=True, stdin=subprocess.DEVNULL)
        self.command = load.pin([cfg.java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m", "-cp", classes,
                                 "io.millrace.testkit.HostileClient"])
        self.p = None

    def ask(self, *words):
        if self.p is None or self.p.poll() is not None:
            self.p = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            bench.LIVE.append(self.p)
        self.p.stdin.write(" ".join(map(str, words)) + "\n")
        self.p.stdin.flush()
        return json.loads(self.p.stdout.readline())

    def stop(self):
        """Without an answer the process ends, and with it its connections."""
        try:
            return self.ask("stop")
        except (OSError, ValueError):
            bench.stop_process(self.p)
            self.p = None
            return {"begun": 0, "opened": 0, "ended": 0, "cpu": 0, "seconds": 1}


class Neighbours:
    def __init__(self, cfg, rows, wanted=None):
        """wanted: of each server the kinds of attack; None for those that --only leaves"""
        self.cfg, self.servers_json, self.wanted = cfg, rows, wanted
        self.load = bench.Load(cfg)
        self.attacker = Attacker(cfg, self.load)
        self.rows, self.notes, self.versions = [], [], {}
        self.began = time.time()
        self.until = time.monotonic() + cfg.minutes * 60
        self.backend = None

    def note(self, text):
        self.notes.append(text)
        print("  " + text, flush=True)

    def is_late(self):
        return time.monotonic() > self.until

    # ---- servers

    def start_backend(self):
        """Millrace on nio, beside the load generator, as in proxy.py."""
        if self.backend is None:
            backend = bench.Server(SimpleNamespace(**{**vars(self.cfg), "server_cpus": self.cfg.client_cpus}),
                                   dict(self.servers_json["millrace-nio"], features=["servlet"]), len(SERVERS))
            backend.start(extra_env={"MILLRACE_PROTOCOLS": PROTOCOLS})
            self.backend = backend

    def start(self, name):
        kinds, what, env = SERVERS[name]
        index = list(SERVERS).index(name)
        ports = SimpleNamespace(ajp=self.cfg.base_port + 4 * index + 2, h2=self.cfg.base_port + 4 * index + 3)
        row = dict(self.servers_json.get(what, {"features": [], "cmd": what}), name="neighbours-" + name)
        env = dict(row.get("env", {}), **env)
        if what not in self.servers_json:
            self.start_backend()
            address = "%s:%d" % (bench.HOST, self.backend.port)
            env.update(BACKEND=address, BACKENDS="%s://%s" % (env.pop("BACKEND_SCHEME", "http"), address))
        if "ajp-body" in kinds:
            env["AJP_PORT"] = str(ports.ajp)
        if name in OWN_H2_PORT:
            env["H2C_PORT"] = str(ports.h2)
        server = bench.Server(self.cfg, dict(row, env=env, features=[f for f in row["features"] if f != "tls"]), index)
        if bench.listens(server.base):
            raise RuntimeError("port %d is taken; --base-port chooses others" % server.base)
        server.start()
        server.ajp_port, server.h2_port = ports.ajp, ports.h2 if name in OWN_H2_PORT else server.port
        return server

    def version(self, name):
        row = self.servers_json.get(SERVERS[name][1], {"jar": self.servers_json["millrace-nio"]["jar"]} if "millrace" in name else
                                    {"version": name.partition("-")[2] + " -v"})
        self.versions[name] = bench.server_version(row)

    # ---- one server

    def run(self, name):
        kinds = [kind for kind in SERVERS[name][0] if (kind in self.wanted[name] if self.wanted else re.search(self.cfg.only, kind))]
        try:
            self.version(name)
            server = self.start(name)
        except (RuntimeError, OSError) as e:
            return self.note("%s: left out: %s" % (name, e))
        try:
            server = self.meet(name, server, kinds)
            alone = self.good(server)
            for kind in kinds:
                if self.is_late():
                    return self.note("%s: left out from %s on: the time is over" % (name, kind))
                server, alone = self.attacks(name, server, kind, alone)
        except (RuntimeError, OSError) as e:
            self.note("%s: left out further attacks: %s" % (name, e))
        finally:
            server.stop()

    def meet(self, name, server, kinds):
        """
        Lets a new server see each attack before anything is measured, until it compiles little more: half of a core, for as long as a cell
        is measured, would count as the attack's cost.
        """
        for kind in kinds if "nginx" not in name and "haproxy" not in name else []:
            compiling = 1
            for _ in range(ROUNDS):
                if compiling > COMPILED and not self.is_late():
                    before, began = compilers_cpu(server), time.perf_counter()
                    self.beside(server, kind, max(self.cfg.counts or [CONTROLLED]), 1)
                    compiling = (compilers_cpu(server) - before) / (time.perf_counter() - began)
                    if self.settle(server) is None:
                        return self.anew(name, server)
        self.warm(server)
        return server

    def warm(self, server):
        best, level, until = 0, 0, time.monotonic() + self.cfg.warm
        while level < 3 and time.monotonic() < until:
            rate = self.good(server)["rate"]
            best, level = (best, level + 1) if rate < 1.05 * best else (rate, 0)

    def attacks(self, name, server, kind, before):
        """The server, or a new one if it did not answer any more, and what ordinary clients get from it now, alone."""
        rows, alive = [], before["rate"] > 0
        for count in self.cfg.counts or ([2, 20, 200] if name in FEW else [20, 200]):
            tries = []
            while alive and len(tries) < TRIES and (not tries or tries[-1]["noise"] > DISTURBED):
                tries.append(dict(self.beside(server, kind, count), attackers=count, settled=self.settle(server)))
                alive = tries[-1]["settled"] is not None
            if tries:
                rows.append(tries[-1] if not alive else min(tries, key=lambda row: row["noise"]))
        control = None
        if alive and kind in CONTROLS and any(row["attackers"] == CONTROLLED for row in rows):
            control = self.beside(server, CONTROLS[kind], CONTROLLED)
            alive = self.settle(server) is not None
        if not alive:
            self.note("%s: no answer %d s after %s; started anew" % (name, self.cfg.patience, kind))
            server = self.anew(name, server)
        after = self.good(server)
        for row in rows:
            fair = control if row["attackers"] == CONTROLLED else None
            self.rows.append(compared(row, before, after, fair, dict(workload="neighbours", server=name, case=kind)))
            self.say(self.rows[-1])
        self.keep()
        return server, after

    @staticmethod
    def say(row):
        print("  %(server)-18s %(case)-12s %(attackers)4d  %(rate)8.0f/s of %(alone)8.0f  kept %(kept).2f  p99 %(p99)8.2f ms" % row
              + "  (%s x)" % ("-" if row["slower"] is None else "%.1f" % row["slower"])
              + "  %(errors)d errors, %(opened)d opened, %(ended)d ended" % row
              + "  CPU: server %.0f %%, attackers %.0f %%, others %.0f %%; %s us a request, %s alone" % (
                  row["server_cpu"] * 100, row["hostile_cpu"] * 100, row["noise"] * 100, micros(row["cpu_request"]), micros(row["alone_cpu"]))
              + ("  ordinary: %.2f" % row["control"] if row["control"] is not None else "")
              + "  settled " + ("no" if row["settled"] is None else "%.1f s" % row["settled"]), flush=True)

    def anew(self, name, server):
        server.stop()
        if name.startswith("proxy") and self.backend is not None:
            self.backend.stop()
            self.backend = None
        server = self.start(name)
        self.warm(server)
        return server

    def good(self, server, seconds=None):
        """What 40 ordinary clients get, and the server's processor time for each of their requests; without an answer a rate of 0."""
        cpu = server.cpu()
        try:
            r = self.load.wrk(bench.url(server, "/hello"), GOOD, seconds or self.cfg.time)
        except RuntimeError:
            return {"rate": 0.0, "p50": 0.0, "p99": 0.0, "errors": 0, "cpu_request": None}
        answered = max(0, r["requests"] - r["errors"])
        return {"rate": answered / r["secs"], "p50": r["p50"], "p99": r["p99"], "errors": r["errors"],
                "cpu_request": (server.cpu() - cpu) / answered if answered else None}

    def beside(self, server, kind, count, seconds=None):
        """Measured once code that only this attack needs is compiled, and what the attackers hold has been moved by the collector."""
        is_file = server.row["name"] == "neighbours-nginx"
        port = server.ajp_port if kind.startswith("ajp") else server.h2_port if kind.startswith("h2") else server.port
        size = 1_500_000 if kind[:2] in ("h2", "sp") else 8_000_000
        big = "/file/2m.bin" if is_file and size < 2_000_000 else "/file/8m.bin" if is_file else "/dynamic?size=%d" % size
        try:
            begun = self.attacker.ask("attack", kind, count, self.cfg.addresses, port, big, "/file/8m.bin", "/upload", "/hello")
            if seconds is None:
                self.good(server, SETTLE)
            busy, cpu, children, began = bench.machine_busy(), server.cpu(), children_cpu(), time.perf_counter()
            row = self.good(server, seconds)
            took = time.perf_counter() - began
            row["server_cpu"] = (server.cpu() - cpu) / took
            noise = bench.machine_busy() - busy - (server.cpu() - cpu) - (children_cpu() - children)
        except (OSError, ValueError) as e:
            raise RuntimeError("the attacker failed: %s" % e)
        finally:
            end = self.attacker.stop()
        row["hostile_cpu"] = end["cpu"] / end["seconds"]
        row["noise"] = max(0.0, noise / took - row["hostile_cpu"]) / os.cpu_count()
        row.update(begun=begun["begun"], opened=end["opened"], ended=end["ended"])
        return row

    def settle(self, server):
        """Seconds until three new clients in a row are answered within a second; None if that takes too long."""
        began, answered = time.monotonic(), 0
        while answered < 3:
            if time.monotonic() - began > self.cfg.patience:
                return None
            try:
                answered = answered + 1 if get(server.port, "/hello", timeout=1)[0] == 200 else 0
            except (OSError, ValueError, IndexError):
                answered = 0
                time.sleep(0.05)
        return time.monotonic() - began

    def keep(self):
        """All that was found so far."""
        os.makedirs(self.cfg.out, exist_ok=True)
        stem = os.path.join(self.cfg.out, time.strftime("neighbours-%Y%m%d-%H%M%S", time.gmtime(self.began)))
        data = {"taken": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(self.began)),
                "until": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()), "revision": bench.revision(), "machine": self.cfg.machine,
                "java": self.cfg.java_version, "seconds": self.cfg.time, "counts": self.cfg.counts, "versions": self.versions,
                "notes": self.notes, "rows": self.rows}
        write(stem + ".json", data)
        with open(stem + ".md", "w") as f:
            f.write("\n\n".join(maker(data) for maker in MAKERS.values()) + "\n")
        return data, stem


def micros(seconds):
    return "-" if seconds is None else "%.0f" % (seconds * 1e6)


def compared(row, before, after, control, names):
    """With what the same clients got alone, before and after, and beside as many ordinary clients."""
    both = [r for r in (before, after) if r["rate"]]
    alone = sum(r["rate"] for r in both) / len(both)
    p99 = sum(r["p99"] for r in both) / len(both)
    return dict(row, **names, alone=alone, alone_p99=p99, alone_cpu=both[0]["cpu_request"], kept=row["rate"] / alone,
                slower=row["p99"] / p99 if row["rate"] and p99 else None,
                control=control["rate"] / alone if control else None,
                control_slower=control["p99"] / p99 if control and p99 else None)


def compilers_cpu(server):
    """Seconds of processor time that the threads of a JVM's compilers have used."""
    total = 0
    for pid in server.pids:
        for task in glob.glob("/proc/%d/task/*" % pid):
            try:
                with open(task + "/comm") as name, open(task + "/schedstat") as stat:
                    if "CompilerThre" in name.read():
                        total += int(stat.read().split()[0]) / 1e9
            except OSError:
                pass
    return total


def children_cpu():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


def write(path, data):
    """A line for each row, so that a version history shows what changed."""
    rows = [{k: float("%.5g" % v) if isinstance(v, float) else v for k, v in row.items()} for row in data["rows"]]
    head = json.dumps({k: v for k, v in data.items() if k != "rows"}, indent=1, ensure_ascii=False)
    with open(path + ".new", "w") as f:
        f.write(head.rstrip("\n}") + ',\n "rows": [\n  ' + ",\n  ".join(json.dumps(row) for row in rows) + "\n ]\n}\n")
    os.replace(path + ".new", path)


# ------------------------------------------------------------------------------------------------ tables

NAMES = {"millrace-nio": "Millrace nio", "millrace-nio2": "Millrace nio2", "millrace-bio": "Millrace bio", "millrace-apr": "Millrace apr",
         "tomcat9-nio": "Tomcat 9", "tomcat9-nio2": "Tomcat 9 nio2", "nginx": "nginx", "proxy-millrace": "Millrace, http",
         "proxy-millrace-h2c": "Millrace, h2c", "proxy-nginx": "nginx", "proxy-haproxy": "HAProxy"}
DIRECT = ["millrace-nio", "millrace-nio2", "millrace-bio", "millrace-apr", "tomcat9-nio", "tomcat9-nio2", "nginx"]
PROXIES = ["proxy-millrace", "proxy-millrace-h2c", "proxy-nginx", "proxy-haproxy"]


def holds(row):
    return row["kept"] >= KEPT and row["slower"] is not None and row["slower"] <= SLOWER


def is_load(row):
    """Whether as many ordinary clients, as often, would leave the others as little."""
    return (row.get("control") is not None and row["slower"] is not None
            and row["kept"] >= KEPT * min(1, row["control"]) and row["slower"] <= SLOWER * max(1, row["control_slower"]))


def cell(row):
    if row is None:
        return "–"
    if row["slower"] is None:
        return "**errors only**" if row["errors"] else "**no answers**"
    text = "%.2f, %s ×" % (row["kept"], "%.1f" % row["slower"] if row["slower"] < 99.5 else "%.0f" % row["slower"])
    return text if holds(row) else "*%s*" % text if is_load(row) else "**%s**" % text


def table(data, names):
    by = {(r["server"], r["case"], r["attackers"]): r for r in data["rows"]}
    names = [n for n in names if any(r["server"] == n for r in data["rows"])]
    if not names:
        return "Not measured."
    lines = []
    for kind, title in KINDS.items():
        for count in sorted({r["attackers"] for r in data["rows"]}):
            rows = [by.get((n, kind, count)) for n in names]
            if any(rows):
                lines.append(["%s, %d" % (title, count)] + [cell(r) for r in rows])
    return grid(["attack, attackers"] + [NAMES[n] for n in names], lines)


def made_servers(data):
    return table(data, DIRECT)


def made_proxies(data):
    return table(data, PROXIES)


def made_misses(data):
    """The cells that do not hold, of Millrace; the number of those of others."""
    counts, lines = {}, []
    for row in data["rows"]:
        name = ("as a proxy " if row["server"].startswith("proxy") else "") + NAMES[row["server"]]
        of = counts.setdefault("Millrace" if "millrace" in row["server"] else name, [0, 0, 0])
        of[0] += not holds(row) and not is_load(row)
        of[1] += not holds(row) and is_load(row)
        of[2] += 1
        if "millrace" in row["server"] and not holds(row):
            lines.append("| %s, %d | %s | %s | %s | %.0f %%, %s µs (%s) | %.0f %% |" % (
                row["case"], row["attackers"], ("proxy " if row["server"].startswith("proxy") else "") + NAMES[row["server"]],
                cell(row), "–" if row.get("control") is None else "%.2f, %.1f ×" % (row["control"], row["control_slower"]),
                row["server_cpu"] * 100, micros(row.get("cpu_request")), micros(row.get("alone_cpu")), row["hostile_cpu"] * 100))
    text = "Cells that miss a bound, and those of them that only as many ordinary clients would miss too: %s.\n\n" % "; ".join(
        "%s %d + %d of %d" % (name, *of) for name, of in counts.items())
    head = ["attack, attackers", "Millrace", "kept, p99", "beside ordinary clients instead", "server's processor; for each good request (alone)", "attackers'"]
    return text + ("\n".join(["| " + " | ".join(head) + " |", "|---" * len(head) + "|"] + lines) if lines else "None of Millrace's does.")


def made_settling(data):
    """How long the attack is felt after it has ended."""
    lines = []
    for name in DIRECT + PROXIES:
        rows = [r for r in data["rows"] if r["server"] == name]
        if rows:
            worst = max(rows, key=lambda r: 1e9 if r["settled"] is None else r["settled"])
            lines.append([("proxy: " if name in PROXIES else "") + NAMES[name],
                          "not within the limit" if worst["settled"] is None else "%.1f" % worst["settled"],
                          "%s, %d" % (worst["case"], worst["attackers"]),
                          "%.0f %%" % (100 * max(r["hostile_cpu"] for r in rows))])
    return grid(["", "longest, s", "after", "attackers' processor time, most"], lines)


def made_run(data):
    noise = sorted(r["noise"] for r in data["rows"])
    lines = [["measured", "%s to %s" % (data["taken"].replace(" UTC", ""), data["until"][11:])], ["revision", "`%s`" % data["revision"]],
             ["machine", machine(data["machine"]) + "; the server has one core, all clients the other"], ["Java", data["java"]],
             ["servers", ", ".join(dict.fromkeys("%s %s" % (NAMES[n], v) for n, v in data["versions"].items() if "millrace" not in n))],
             ["other programs", "%.0f %% of the machine's processor time in the median case, %.0f %% in the worst; more than %.0f %% in %d of %d cells" % (
                 100 * noise[len(noise) // 2], 100 * noise[-1], 100 * DISTURBED, sum(n > DISTURBED for n in noise), len(noise)) if noise else "not recorded"]]
    if data["notes"]:
        lines.append(["left out", "; ".join(data["notes"])])
    return grid(["", "this run"], lines).replace("|---:|", "|---|")


MAKERS = {"run": made_run, "servers": made_servers, "proxies": made_proxies, "misses": made_misses, "settling": made_settling}


def main():
    p = bench.parser(__doc__, port="21700")
    p.add_argument("--servers", help="of " + ",".join(SERVERS))
    p.add_argument("--only", default="", help="regular expression: kinds of attack, of " + " ".join(KINDS))
    p.add_argument("--counts", help="numbers of attackers; 20,200, of some servers 2 too; with --quick 200")
    p.add_argument("--addresses", type=int, default=1, help="from how many addresses the attackers come, at most 250")
    p.add_argument("--quick", action="store_true", help="less than 10 minutes")
    p.add_argument("--again", action="store_true", help="measure what was disturbed")
    p.add_argument("--render", action="store_true", help="measure nothing")
    p.add_argument("--time", type=int, help="seconds of a measurement; 2, with --quick 1")
    p.add_argument("--warm", type=int, help="at most so many seconds of warm-up of each server; 10, with --quick 5")
    p.add_argument("--patience", type=int, default=10, help="seconds that a server has to answer again after an attack")
    p.add_argument("--minutes", type=float, help="no further attacks after so many; 34, with --quick 9.5")
    args = p.parse_args()
    if not args.render:
        measure(p, args)
    else:
        render()


def page_data():
    with open(DATA) as f:
        return json.load(f)


def render():
    fill(PAGE, page_data(), MAKERS)


def disturbed(data):
    """Of each server the kinds of attack of which a cell was disturbed."""
    wanted = {}
    for row in data["rows"]:
        if row["noise"] > DISTURBED:
            wanted.setdefault(row["server"], set()).add(row["case"])
    return wanted


def replaced(data, new):
    """The table with what was measured again, in the order of the first time."""
    rows = {(row["server"], row["case"], row["attackers"]): row for row in new["rows"]}
    revision = ", ".join(dict.fromkeys(data["revision"].split(", ") + [new["revision"]]))
    return dict(data, until=new["until"], revision=revision,
                rows=[rows.get((row["server"], row["case"], row["attackers"]), row) for row in data["rows"]])


def measure(p, args):
    wanted = disturbed(page_data()) if args.again else None
    names = list(wanted) if args.again else args.servers.split(",") if args.servers else DEFAULT
    unknown = [name for name in names if name not in SERVERS]
    if unknown:
        p.error("unknown: %s; expected some of %s" % (",".join(unknown), ",".join(SERVERS)))
    whole = not (args.servers or args.only or args.quick or args.counts or args.again or args.addresses != 1)
    cfg = SimpleNamespace(cert="rsa", tcnative=bench.find_tcnative(), client_threads=1, java=bench.find_java(args.jdk), **{
        **vars(args), "tmp": os.path.abspath(args.tmp), "counts": [int(n) for n in (args.counts or ("200" if args.quick else "")).split(",") if n],
        "time": args.time or (1 if args.quick else 2), "warm": args.warm or (5 if args.quick else 10),
        "minutes": args.minutes or (9.5 if args.quick else 34)})
    cfg.native_flag = "--enable-native-access=ALL-UNNAMED" if int(re.match(r"\d+", bench.java_version(cfg.java)).group()) >= 17 else ""
    cfg.java_version = bench.java_version(cfg.java)
    os.makedirs(cfg.tmp, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    bench.prepare(cfg)
    bench.hello_war(cfg)
    raise_nofile()
    cpu = next((x.split(":")[1].strip() for x in open("/proc/cpuinfo") if x.startswith("model name")), "?")
    cfg.machine = "%s, %d CPUs, Linux %s" % (cpu, os.cpu_count(), os.uname().release)
    run = Neighbours(cfg, bench.catalogue(), wanted)
    for name in names:
        if "haproxy" in name and not shutil.which("haproxy") or "nginx" in name and not shutil.which("nginx"):
            run.note("%s: left out: not installed" % name)
        elif run.is_late():
            run.note("%s: left out: the time is over" % name)
        else:
            run.run(name)
    if not run.rows:
        sys.exit("neighbours.py: nothing was measured")
    data, stem = run.keep()
    print("\n" + open(stem + ".md").read() + "\n" + stem + ".json")
    if whole or args.again:
        write(DATA, replaced(page_data(), data) if args.again else data)
        render()


if __name__ == "__main__":
    main()
