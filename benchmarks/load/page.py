#!/usr/bin/env python3
"""Measures what the performance page (benchmarks/README.md) shows, and writes its tables and charts.

  page.py                        everything, in less than an hour
  page.py --quick                fewer rounds: less than a quarter of an hour
  page.py --only 'http2|start'   some parts (plain, http2, websocket, connections, start, proxy, handshakes)
  page.py --render               measures nothing: the page from page/run.json
  page.py --render A.json ...    the page from results of bench.py, streams.py, websocket.py and proxy.py

All parts are one run: what they find goes to results/page-<stamp>/, then together to page/run.json, from which the page is made: the
charts page/*.svg, and the text between "<!-- NAME: ... -->" and "<!-- end -->" in benchmarks/README.md and in README.md. A part that
fails is named and left out, and the rest goes on.
"""
import argparse, glob, json, os, re, signal, statistics, subprocess, sys, time

import bench, chart

HOME = os.path.dirname(bench.BENCH)
PRODUCT = os.path.dirname(HOME)
PAGE, DATA = os.path.join(HOME, "README.md"), os.path.join(HOME, "page", "run.json")
FRONT = os.path.join(PRODUCT, "README.md")

JAVA_SERVERS = "millrace-nio,tomcat9-nio,jetty12,undertow"
DISTRIBUTIONS = "millrace-dist,millrace-dist-no-archive,tomcat9-dist"
PARTS = {  # name: command, what a full run adds to it, what a quick one does
    "plain": ("bench.py check w1 w3 w14 --servers %s,netty,nginx --sizes 4k,8m --conns 40 "
              "--only ^(hello.c=(40|1000)|hello.TLS.c=40|plain.(4k|8m).c=40)$" % JAVA_SERVERS,
              "--rounds 5 --time 4 --warm 3 --steady 60", "--quick --rounds 3 --time 2 --warm 2 --steady 9"),
    "http2": ("streams.py --only ^hello --servers %s,nginx" % JAVA_SERVERS,
              "--rounds 5 --time 3 --warm 60", "--rounds 3 --time 2 --warm 12 --streams 10x32"),
    "websocket": ("websocket.py --servers " + JAVA_SERVERS,
                  "--only ^echo --rounds 5 --time 3 --warm 15", "--only ^echo.125 --rounds 3 --time 2 --warm 7"),
    "connections": ("bench.py w6 w7 --servers %s --only ^(10000.idle.plain|async.c=1000)$" % JAVA_SERVERS,
                    "--rounds 3", "--quick"),
    "start": ("bench.py w20 --servers " + DISTRIBUTIONS, "", "--quick"),
    "proxy": ("proxy.py --only ^hello --proxies millrace-http,undertow,nginx", "--rounds 5 --time 3", "--rounds 3 --time 2"),
    "handshakes": ("bench.py w11 --only ^TLS1.3 --servers millrace-nio,tomcat9-nio,nginx",
                   "--rounds 5 --time 4 --warm 3 --steady 90", "--quick --rounds 2 --time 2 --warm 1 --steady 16"),
}

COLUMNS = {"Millrace": ("millrace-nio", "millrace-http"), "Tomcat 9": ("tomcat9-nio",), "Jetty 12": ("jetty12",), "Undertow": ("undertow",),
           "Netty": ("netty",), "nginx": ("nginx",)}
CONTAINERS = ("Tomcat 9", "Jetty 12", "Undertow")
MIB8 = 1e6 / (8 << 20)  # wrk counts complete files only: MB/s says more
LINES = {  # (workload, case): name, column, factor
    ("w1", "hello c=40"): ("hello, 40 connections", "rate", 1),
    ("w1", "hello c=1000"): ("hello, 1,000 connections", "rate", 1),
    ("w14", "hello TLS c=40"): ("hello over TLS, 40 connections", "rate", 1),
    ("h2", "h2 TLS hello -c10 -m32"): ("HTTP/2 over TLS, hello, 10 × 32 streams", "rate", 1),
    ("h2", "h2 TLS hello -c40 -m100"): ("HTTP/2 over TLS, hello, 40 × 100 streams", "rate", 1),
    ("w3", "plain 4k c=40"): ("file of 4 KiB, 40 connections", "rate", 1),
    ("w3", "plain 8m c=40"): ("file of 8 MiB, 40 connections", "mbps", MIB8),
    ("websocket", "echo 125 B"): ("WebSocket echo of 125 bytes, 1,000 connections", "rate", 1),
    ("websocket", "echo 64 KiB"): ("WebSocket echo of 64 KiB, 1,000 connections", "rate", 1),
    ("proxy", "hello c=40"): ("hello through the reverse proxy, 40 connections", "rate", 1),
    ("w11", "TLS1.3 full, c=16"): ("full TLS 1.3 handshake and hello, RSA-2048", "rate", 1),
}
CHARTS = {  # file: title, (workload, case), unit
    "hello": ("Hello, 40 connections", ("w1", "hello c=40"), "requests/s"),
    "http2": ("HTTP/2 over TLS, 10 × 32 streams", ("h2", "h2 TLS hello -c10 -m32"), "requests/s"),
    "file": ("File of 4 KiB, 40 connections", ("w3", "plain 4k c=40"), "requests/s"),
    "websocket": ("WebSocket echo, 1,000 connections", ("websocket", "echo 125 B"), "messages/s"),
}
STARTS = {"hello.war": "hello", "millrace-spring-boot.war": "Spring Boot 2.7", "millrace-spring-mvc.war": "Spring MVC 5.3",
          "millrace-struts.war": "Struts 2"}
KEPT = ("workload", "case", "server", "role", "round", "rate", "mbps", "p50", "p99", "cpu_req", "kb_conn", "heap_conn", "native_conn",
        "threads", "startup", "cpu_ms", "rss", "errors", "noise")


# ------------------------------------------------------------------------------------------------ measuring

def measure(args):
    """Runs the parts; the files of their results."""
    folder = args.into or os.path.join(HOME, "results", time.strftime("page-%Y%m%d-%H%M%S", time.gmtime()))
    failed = []
    for name, (command, full, quick) in PARTS.items():
        if not re.search(args.only, name):
            continue
        if name == "start":
            archive()
            wars = sorted(glob.glob(os.path.join(PRODUCT, "examples", "*", "target", "*.war")))
            command += " --wars " + ",".join(war for war in wars if not (args.quick and "spring-mvc" in war)) if wars else ""
        argv = command.split() + (quick if args.quick else full).split() + ["--out", os.path.join(folder, name)]
        began = time.time()
        print("page.py: %s: %s" % (name, " ".join(argv)), flush=True)
        running = subprocess.Popen([sys.executable, os.path.join(bench.BENCH, argv[0]), *argv[1:]], stdin=subprocess.DEVNULL)
        bench.LIVE.append(running)
        if running.wait():
            failed.append(name)
        bench.LIVE.remove(running)
        print("page.py: %s took %.0f s%s" % (name, time.time() - began, " and failed" if name in failed else ""), flush=True)
    newest = [max(found) for name in PARTS for found in [glob.glob(os.path.join(folder, name, "*.json"))] if found]
    return newest, failed


def archive():
    """The start with a class archive needs one for the Java of this run."""
    home = os.path.dirname(os.path.dirname(os.path.realpath(bench.find_java("25"))))
    subprocess.run([os.path.join(PRODUCT, "standalone", "target", "dist", "bin", "millrace"), "archive"],
                   env=dict(os.environ, JAVA_HOME=home), check=True, stdin=subprocess.DEVNULL)


def together(files):
    """One run of several files: what the page needs of them."""
    rows, versions, notes, metas = [], {}, [], []
    for name in files:
        with open(name) as f:
            found = json.load(f)
        rows += [{k: round(v, 3) if isinstance(v, float) else v for k, v in row.items() if k in KEPT and v == v} for row in found["rows"]]
        notes += found["notes"]
        metas.append(found["meta"])
        versions.update(found["versions"])
    taken = sorted(meta["taken"] for meta in metas)
    revisions = sorted({meta["revision"] for meta in metas})
    return {"taken": taken[0].partition(",")[0], "until": taken[-1].partition(",")[0], "revision": ", ".join(revisions),
            "machine": metas[0]["machine"], "java": metas[0]["java"].partition(";")[0], "versions": versions, "notes": notes, "rows": rows}


def keep(data):
    """A line for each row, so that a version history shows what changed."""
    head = json.dumps({k: v for k, v in data.items() if k != "rows"}, indent=1, ensure_ascii=False)
    with open(DATA, "w") as f:
        f.write(head.rstrip("\n}") + ',\n "rows": [\n  ' + ",\n  ".join(json.dumps(row) for row in data["rows"]) + "\n ]\n}\n")


# ------------------------------------------------------------------------------------------------ what was found

class Run:
    def __init__(self, data):
        self.data, self.versions = data, data["versions"]
        self.by = {}
        for row in data["rows"]:
            self.by.setdefault((row["workload"], row["case"], row["server"]), []).append(row)

    def one(self, workload, case, server, column):
        """The median over the rounds, None where it was not measured."""
        values = [r[column] for r in self.by.get((workload, case, server), []) if r.get(column) is not None]
        return statistics.median(values) if values else None

    def get(self, workload, case, column, factor=1):
        """By column of the table; only servers that were measured."""
        found = {}
        for name, servers in COLUMNS.items():
            for server in servers:
                value = self.one(workload, case, server, column)
                if value is not None:
                    found[name] = value * factor
        return found

    def case_of(self, workload, start):
        return next((case for w, case, _ in self.by if w == workload and case.startswith(start)), None)

    def date(self):
        first, last = self.data["taken"][:10], self.data["until"][:10]
        return first if first == last else first + " to " + last

    def method(self):
        """One line under the charts."""
        names = {"tomcat9-nio": "Tomcat", "jetty12": "Jetty", "undertow": "Undertow", "netty": "Netty", "nginx": "nginx"}
        return "%s, revision %s; %s; Java %s. One core for the server, one for the load generator. %s." % (
            self.date(), self.data["revision"], machine(self.data["machine"]), self.data["java"],
            ", ".join("%s %s" % (n, self.versions[k].replace(".Final", "")) for k, n in names.items() if k in self.versions))


def machine(text):
    """Without what nobody asks for: "Intel(R) Xeon(R) Processor @ 2.10GHz, 2 CPUs, Linux 6.18.44"."""
    return re.sub(r"\((R|TM)\)| Processor| CPU\b(?!s)", "", text)


def short(value):
    return "{:,.0f}".format(value) if value >= 100 else "%.1f" % value


def times(value):
    """Two digits that count."""
    return ("%.0f" if value >= 9.95 else "%.1f" if value >= 1.95 else "%.2f") % value + "\u00a0×"  # not broken before the sign


def grid(head, lines):
    return "\n".join(["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)] + ["| " + " | ".join(l) + " |" for l in lines])


def cells(values, columns, ratio):
    """A cell for each column: the value, and for peers of Millrace how many times as good Millrace is."""
    mine = values.get("Millrace")
    return ["–" if name not in values else short(values[name]) if name == "Millrace" or not mine else
            "%s (%s)" % (short(values[name]), times(ratio(mine, values[name]))) for name in columns]


# ------------------------------------------------------------------------------------------------ the parts of the pages

def made_rates(run):
    """Requests a second of every server."""
    columns = [c for c in COLUMNS if any(c in run.get(*case, *how[1:]) for case, how in LINES.items())]
    lines = []
    for case, (name, column, factor) in LINES.items():
        values = run.get(*case, column, factor)
        if "Millrace" in values:
            lines.append([name] + cells(values, columns, lambda mine, other: mine / other))
    return grid([""] + columns, lines)


def made_cpu(run):
    """Microseconds of the server's processor time for each request."""
    columns, lines = list(COLUMNS), []
    for case, (name, _, _) in LINES.items():
        values = run.get(*case, "cpu_req")
        if "Millrace" in values and "8 MiB" not in name:
            lines.append([name] + cells(values, columns, lambda mine, other: other / mine))
    return grid([""] + columns, lines)


def made_connections(run):
    columns, lines = ["Millrace", *CONTAINERS], []
    idle, slow = run.case_of("w6", "10000 idle"), run.case_of("w7", "async")
    for name, values in (("memory of an idle connection (of 10,000), KB", run.get("w6", idle, "kb_conn")),
                         ("threads of the process while 10,000 connections are idle", run.get("w6", idle, "threads")),
                         ("threads of the process while 1,000 responses are slow", run.get("w7", slow, "threads"))):
        if "Millrace" in values:
            if "KB" in name:
                lines.append([name] + cells(values, columns, lambda mine, other: other / mine))
            else:
                lines.append([name] + ["–" if c not in values else "%d" % values[c] for c in columns])
    return grid([""] + columns, lines)


def made_start(run):
    """Hello and real applications: never one without the other."""
    names = {"millrace-dist": "Millrace, with its class archive", "millrace-dist-no-archive": "Millrace, without", "tomcat9-dist": "Tomcat 9"}
    lines = []
    for column, what in (("startup", ""), ("cpu_ms", ", processor time")):
        for case, title in STARTS.items():
            found = {s: run.one("w20", case, s, column) for s in names}
            tomcat = found["tomcat9-dist"]
            if found["millrace-dist"] and tomcat:
                lines.append([title + what] + ["–" if v is None else short(v) + (
                    "" if s == "tomcat9-dist" else " (%.2f\u00a0×)" % (v / tomcat)) for s, v in found.items()])
    memory = [run.one("w20", "hello.war", s, "rss") for s in ("millrace-dist", "tomcat9-dist")]
    text = grid(["until the first response, ms", *names.values()], lines)
    if all(memory):
        text += "\n\nIn brackets: the part of Tomcat's; below 1 Millrace is faster. Resident memory of hello: %.0f MB, Tomcat %.0f MB." % tuple(
            m / 1e6 for m in memory)
    return text


def made_slower(run):
    """Every cell of the first table in which Millrace is behind by more than three parts in a hundred."""
    lines = []
    for case, (name, column, factor) in LINES.items():
        values = run.get(*case, column, factor)
        behind = {c: values["Millrace"] / v for c, v in values.items() if c != "Millrace" and values.get("Millrace", v) < 0.97 * v}
        if behind:
            lines.append("* %s: %s." % (name[0].upper() + name[1:], ", ".join(
                "%.2f\u00a0× %s" % (r, c) for c, r in sorted(behind.items(), key=lambda each: each[1]))))
    return "\n".join(lines) or "* In no row of this run's tables."


def made_run(run):
    data = run.data
    until = data["until"][11:] if data["until"][:10] == data["taken"][:10] else data["until"]
    servers = "Tomcat {tomcat9-nio} (NIO), Jetty {jetty12} (ee8), Undertow {undertow}, Netty {netty} (NIO), nginx {nginx} (one worker)".format(
        **{name: run.versions.get(name, "–").replace(".Final", "") for servers in COLUMNS.values() for name in servers})
    noise = [r["noise"] for r in data["rows"] if r.get("noise") is not None]
    return grid(["", "this run"], [
        ["started", "%s, the last part at %s" % (data["taken"].replace(" UTC", ""), until)], ["revision", "`%s`" % data["revision"]],
        ["machine", machine(data["machine"]) + "; the server has one core, the load generator the other"],
        ["Java", data["java"] + ", the same for all: 512 MiB of heap, SerialGC"],
        ["servers", servers],
        *([["note", data["note"]]] if "note" in data else []),
        ["other programs", "%.0f %% of the machine's processor time in the median case, %.0f %% in the worst" % (
            statistics.median(noise), max(noise)) if noise else "not recorded"]]).replace("|---:|", "|---|")


def made_figures(run):
    """The evidence beside README.md's claims."""
    lines = []
    for _, (title, case, unit) in CHARTS.items():
        values = run.get(*case, "rate")
        peers = {c: v for c, v in values.items() if c in CONTAINERS}
        if "Millrace" in values and peers:
            best = max(peers, key=peers.get)
            others = ["%s %s" % (times(values["Millrace"] / values[c]), c) for c in (best, "Netty", "nginx") if c in values]
            lines.append([title, "%s %s" % (chart.number(values["Millrace"]), unit), ", ".join(others)])
    for name, workload, start, column, unit in (("Memory of an idle connection", "w6", "10000 idle", "kb_conn", " KB"),
                                                ("Threads while 1,000 responses are slow", "w7", "async", "threads", "")):
        values = run.get(workload, run.case_of(workload, start), column)
        if "Millrace" in values:
            show = (lambda v: "%.1f" % v) if unit else (lambda v: "%d" % v)
            lines.append([name, show(values["Millrace"]) + unit, ", ".join(
                "%s %s%s" % (c, show(values[c]), unit) for c in CONTAINERS if c in values)])
    starts = [(title, *(run.one("w20", case, s, "startup") for s in ("millrace-dist", "tomcat9-dist"))) for case, title in STARTS.items()]
    starts = [each for each in starts if each[1] and each[2]]
    if starts:
        lines.append(["Start: " + ", ".join(each[0] for each in starts), ", ".join("%.1f" % (each[1] / 1e3) for each in starts) + " s",
                      "Tomcat 9 " + ", ".join("%.1f" % (each[2] / 1e3) for each in starts) + " s"])
    return grid(["", "Millrace", "beside it"], lines).replace("|---:|---:|", "|---:|---|")


# ------------------------------------------------------------------------------------------------ writing

def fill(path, run, makers):
    """Replaces what stands between the markers of a page."""
    with open(path) as f:
        text = f.read()

    def made(found):
        return "%s\n%s\n%s" % (found.group(1), makers[found.group(2)](run), found.group(3))

    text = re.sub(r"(<!-- (\w+): [^\n]*-->)\n.*?(<!-- end -->)", made, text, flags=re.S)
    with open(path, "w") as f:
        f.write(text)


def draw(run):
    groups = {}
    for file, (title, case, unit) in CHARTS.items():
        values = run.get(*case, "rate")
        if "Millrace" in values:
            kind = lambda c: "ours" if c == "Millrace" else "theirs" if c in CONTAINERS else "ceiling"
            groups[file] = (title, unit, [(c, values[c], kind(c)) for c in values])
    folder = os.path.dirname(DATA)
    for file, group in groups.items():
        with open(os.path.join(folder, file + ".svg"), "w") as f:
            f.write(chart.servers("%s of each server. %s" % (group[0], ", ".join("%s %s" % (c, short(v)) for c, v, _ in group[2])),
                                  "", [group], 1))
    # the front page: each group with five bars, Netty where there is no nginx to compare
    fronts = [(title, unit, [bar for bar in bars if bar[0] != "nginx" or not any(b[0] == "Netty" for b in bars)])
              for title, unit, bars in groups.values()]
    for file, columns in (("summary", 2), ("summary-narrow", 1)):
        with open(os.path.join(folder, file + ".svg"), "w") as f:
            f.write(chart.servers("Requests a second of Millrace, Tomcat 9, Jetty 12 and Undertow, with Netty or nginx",
                                  run.method(), fronts, columns))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--quick", action="store_true", help="at most a quarter of an hour")
    p.add_argument("--only", default="", help="regular expression: only parts of which the name matches; the page gets what they found alone")
    p.add_argument("--into", help="folder of results; with files of an earlier call, those of its parts are taken, too")
    p.add_argument("--render", nargs="*", metavar="RESULTS", help="measure nothing")
    args = p.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    os.makedirs(os.path.dirname(DATA), exist_ok=True)
    failed = []
    if args.render != []:
        files, failed = (args.render, []) if args.render else measure(args)
        if not files:
            sys.exit("page.py: no results")
        data = together(files)
        keep(data)
    with open(DATA) as f:
        run = Run(json.load(f))
    draw(run)
    for page in (PAGE, FRONT):
        fill(page, run, {name[len("made_"):]: maker for name, maker in globals().items() if name.startswith("made_")})
    for note in run.data["notes"]:
        print("page.py: not measured or failed: " + note)
    if failed:
        sys.exit("page.py: failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
