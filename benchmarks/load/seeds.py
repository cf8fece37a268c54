#!/usr/bin/env python3
"""Every table of the systems that Millrace grows out of, each under what its origin measured, beside today's peers.

  seeds.py                      all of it: about two hours
  seeds.py --quick              fewer sizes, connections and rounds: less than half an hour
  seeds.py --only 'spdy|jetty'  some parts (connectors, httpd, undertow, jetty, spdy, rx)
  seeds.py --again 'jetty'      these parts are measured again, whatever there is of them
  seeds.py --list               what the parts are, without running them
  seeds.py --report             the report and the charts of what was measured so far

Each command's result is kept as soon as it is there, in --into (results/seeds, or seeds-quick): a call that was interrupted, or failed in
some of its commands, goes on where it stopped. What fails, or takes more than its time, is named in the report, and the rest goes on.
The report is seeds.md there, its charts are *.svg beside it.
"""
import argparse, glob, hashlib, json, os, re, signal, subprocess, sys, threading, time

import chart
from bench import FILES

BENCH = os.path.dirname(os.path.abspath(__file__))
CONNECTORS = ("millrace-nio,millrace-nio2,millrace-apr,millrace-apr-openssl,millrace-bio,"
              "tomcat9-nio,tomcat9-nio2,tomcat9-nio-openssl,tomcat9-apr")
PEERS = "millrace-nio,millrace-nio2,tomcat9-nio,undertow,jetty12"
LONGEST = 45 * 60  # seconds of one command


class Part:
    """One origin: what it measured, and the commands that measure the same; quick ones where they are others."""

    def __init__(self, name, title, source, origin, commands, quick, charts):
        self.name, self.title, self.source, self.origin = name, title, source, origin
        self.all, self.quick, self.charts = commands, quick, charts


PARTS = (
    Part("connectors", "Tomcat's connectors: BIO, NIO, NIO2, APR", "J.-F. Clere, Choosing Tomcat Connectors, 2014",
         (("files of 4 KiB to 32 MiB, 4, 40 and 80 clients, plain and TLS", "throughput and CPU, as charts, beside httpd"),
          ("TLS", "OpenSSL on APR faster than JSSE on BIO, NIO and NIO2"),
          ("BIO", "throughput limited by the number of threads")),
         ["bench.py w3 --sizes 4k,64k,512k,8m,32m --conns 4,40,80 --rounds 2 --time 2 --only (4k|64k|512k|8m|32m).c= --servers "
          + CONNECTORS + ",nginx"],
         ["bench.py w3 --quick --sizes 4k,512k,32m --conns 40 --warm 3 --rounds 2 --time 2 --only (4k|512k|32m).c= --servers "
          + CONNECTORS],
         "connectors"),
    Part("httpd", "httpd before the container: mod_jk, mod_proxy_ajp, mod_proxy_http", "J.-F. Clere, the same, 2014",
         (("the three modules before Tomcat, plain and with TLS at the front", "throughput and CPU, as charts"),),
         ["httpd.py --into {into}/httpd.json"],
         ["httpd.py --quick --sizes 4k,64k --conns 40 --into {into}/httpd.json"],
         "httpd"),
    Part("undertow", "Undertow's file cache, and 10,000 connections", "S. Douglas and J. Greene, 2012",
         (("a file of 808 bytes, pipelined, a laptop with two cores", "more than 100,000 requests/s"),
          ("mixed sizes", "about 1 GB/s"),
          ("the same beside 10,000 connections", "nearly as many requests/s")),
         ["bench.py w3 --sizes 808,16k,128k,2m --conns 80 --rounds 3 --only plain --servers " + PEERS + ",nginx"],
         ["bench.py w3 --quick --sizes 808,128k --conns 80 --warm 3 --rounds 2 --only plain --servers " + PEERS + ",nginx"],
         "undertow"),
    Part("jetty", "Jetty 6: a thread only while the servlet runs", "G. Wilkins, Blocking Servlets, Asynchronous Transport, 2007",
         (("20 KB, 80 requests/s, 8 Mb/s, 180 ms, where writing blocks", "more than 40 threads"),
          ("the same where the rest is flushed asynchronously", "2 threads"),
          ("memory of the process for each of 20,000 connections (Bayeux)", "85 KB")),
         ["bench.py w5 w6 w17 --servers " + PEERS],
         ["bench.py w5 w6 --quick --servers " + PEERS],
         "jetty"),
    Part("spdy", "The SPDY redirector: 700 MB, and 170 slow responses", "K. Preißer, tomcat-dev, 2013",
         (("700 MB in writes of 32 KB, HTTP, direct", "260–275 MB/s"),
          ("the same by SPDY, window of 64 KiB", "170 MB/s"),
          ("the same by SPDY, window of 128 KiB", "205 MB/s"),
          ("the same by AJP", "190 MB/s"),
          ("170 slow responses, threads of the front end, SPDY", "29 → 35"),
          ("the same by ISAPI and AJP", "26 → 195"),
          ("CPU of front and back end, SPDY", "43–50 % and 35–40 %"),
          ("the same by AJP", "20 % and 10 %")),
         ["bench.py w4 w7 --rounds 3 --servers " + PEERS, "streams.py --only download|slow", "proxy.py --only download|slow"],
         ["bench.py w4 w7 --quick --rounds 1 --servers " + PEERS, "streams.py --only download|slow --rounds 2",
          "proxy.py --only download|slow --rounds 1"],
         "spdy"),
    Part("rx", "Asynchronous beside synchronous handlers", "A reactive web server on .NET, 2012",
         (("Fibonacci, 50 and 100 concurrent requests", "asynchronous handlers lost"),
          ("a slow back end, 50 and 100 concurrent requests", "they won or lost"),
          ("10,000 requests, 1,000 concurrent", "1.6 s (6,250/s); node.js 2.1 s (4,760/s); MVC3 42.8 s (230/s)")),
         ["bench.py w8 w1 --conns 50,100 --only c=(50|100|1000)$ --servers " + PEERS],
         ["bench.py w8 w1 --quick --conns 50,100 --only c=(50|100|1000)$ --servers " + PEERS],
         "rx"),
)


# ------------------------------------------------------------------------------------------------ what is measured and kept

class Kept:
    """What a command has printed, and the results that bench.py has written, in files named by part and command."""

    def __init__(self, folder, part, command):
        self.command, self.part = command, part
        self.stem = os.path.join(folder, "%s-%s" % (part.name, hashlib.sha256(command.encode()).hexdigest()[:8]))
        self.argv = command.replace("{into}", folder).split()
        if self.argv[0] == "bench.py":
            self.argv += ["--out", self.stem]

    def found(self):
        """What there is of it, failed or not; None if it was not run, or was interrupted."""
        try:
            with open(self.stem + ".json") as f:
                return json.load(f)
        except OSError:
            return None

    def forget(self):
        for name in [self.stem + ".json"] + glob.glob(self.stem + "/*") + (
                [re.sub(r"^.*--into (\S+).*$", r"\1", " ".join(self.argv))] if "--into" in self.argv else []):
            if os.path.exists(name):
                os.remove(name)

    def rows(self):
        """Of bench.py."""
        files = sorted(glob.glob(self.stem + "/*.json"))
        return json.load(open(files[-1]))["rows"] if files else []

    def run(self, longest):
        began = time.time()
        print("seeds.py: " + " ".join(self.argv), file=sys.stderr, flush=True)
        lines, late = [], threading.Event()
        running = subprocess.Popen([sys.executable, os.path.join(BENCH, self.argv[0]), *self.argv[1:]], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)

        def end():
            late.set()
            running.terminate()  # which stops its servers, too

        timer = threading.Timer(longest, end)
        timer.start()
        try:
            for line in running.stdout:
                lines.append(line.rstrip("\n"))
                print("  " + lines[-1], file=sys.stderr, flush=True)
            status = running.wait()
        finally:
            timer.cancel()
            if running.poll() is None:
                running.terminate()
                running.wait()
        first = next((i for i, line in enumerate(lines) if line.startswith(("## ", "###", "| "))), None)
        why = "it took more than %g minutes" % (longest / 60) if late.is_set() else "exit status %d" % status if status else None
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=BENCH, stdout=subprocess.PIPE, text=True).stdout.strip()
        result = {"commit": commit, "at": time.strftime("%Y-%m-%d %H:%M", time.gmtime(began)), "secs": round(time.time() - began), "failed": why,
                  "text": "\n".join(lines[first:] if first is not None else lines[-10:]), "tables": first is not None}
        with open(self.stem + ".json", "w") as f:
            json.dump(result, f, indent=1)
        return result


# ------------------------------------------------------------------------------------------------ charts

def charts(part, kept, folder):
    """Draws what there is; the names of the files. A chart that cannot be drawn costs no result."""
    drawn = []
    try:
        for name, svg in globals()["draw_" + part.charts](kept, folder):
            with open(os.path.join(folder, name), "w") as f:
                f.write(svg)
            drawn.append(name)
    except (KeyError, ValueError, IndexError, ZeroDivisionError, OSError) as e:
        print("seeds.py: no chart of %s: %r" % (part.name, e), file=sys.stderr)
    return drawn


def draw_connectors(kept, folder):
    panels, names = chart.size_lines(kept[0].rows(), FILES)
    if panels:
        yield "connectors.svg", chart.page(
            "Connectors: throughput, more is better; CPU of the server, less is better",
            "Over the size of the file (4k: 4 KiB), both axes logarithmic. Millrace solid, others dashed; one colour for a transport.",
            panels, names)


def draw_httpd(kept, folder):
    import httpd
    results = httpd.Results(os.path.join(folder, "httpd.json"))
    for key, title, unit in (("rate", "throughput, more is better", "requests/s"), ("cpu_back", "CPU of the back end, less is better", "µs/request")):
        panels = []
        for front in ("plain", "TLS"):
            for conns in sorted({c for _, c in results.groups(front)}):
                row = []
                sizes = [size for size, c in results.groups(front) if c == conns]
                for way in httpd.WAYS:
                    series = {end: [(FILES[size], results.median(key, front, size, conns, (way, end))) for size in sizes]
                              for end in httpd.BACKS}
                    if key == "rate":
                        series["httpd"] = [(FILES[size], results.median(key, front, size, conns, httpd.ALONE)) for size in sizes]
                    row.append(chart.Lines("%s, %s, c=%d" % (httpd.NAMES[way], front, conns), unit, series, {FILES[s]: s for s in sizes}))
                panels.append(row)
        if panels:
            yield "httpd-%s.svg" % key.replace("_", "-"), chart.page(
                "Behind httpd: " + title, "Over the size of the file, both axes logarithmic. Millrace solid, Tomcat 9 and httpd alone dashed.", panels,
                list(httpd.BACKS) + (["httpd"] if key == "rate" else []))


def draw_undertow(kept, folder):
    rows = kept[0].rows()
    bars = lambda *which: [p for p in [chart.case_bars(rows, "w3", *which)] if p]
    yield "undertow.svg", chart.page(
        "Files from the cache, and 10,000 connections", "More is better. Millrace red, others grey; framed: the origin, on its own machine.",
        [bars("plain 808 x16 c=40", "rate", "808 bytes, 16 pipelined", "/s", [("Undertow 2012", 100_000)])
         + bars("plain mix c=80", "mbps", "808 B to 512 KiB in turn, 80 connections", "MB/s", [("Undertow 2012", 1_000)]),
         bars("plain 808 beside c=80", "rate", "808 bytes, 80 connections", "/s")
         + bars("plain 808 beside c=10000", "rate", "808 bytes, 10,000 connections", "/s")])


def draw_jetty(kept, folder):
    rows = kept[0].rows()
    bars = lambda *which: [p for p in [chart.case_bars(rows, *which, higher=False)] if p]
    yield "jetty.svg", chart.page(
        "Slow clients, and idle connections", "Less is better. Millrace red, others grey; framed: the origin.",
        [bars("w5", "20 KB at 80/s", "in_servlet", "20 KB at 80/s to 8 Mb/s, 180 ms: threads in servlets", "",
              [("blocking, 2007", 40), ("Jetty 6, 2007", 2)])
         + bars("w5", "256 KB at 40/s", "in_servlet", "256 KB at 40/s: threads in servlets", ""),
         bars("w6", "10000 idle plain", "kb_conn", "memory of an idle connection, 10,000 of them", "KB", [("Bayeux, 2007", 85)])
         + bars("w5", "500 clients, 20 KB at 80/s", "in_servlet", "500 clients, 20 KB at 80/s: threads in servlets", "")])


def table(text):
    """The cells of the last table in a text, and its head."""
    lines = [[cell.strip() for cell in line.strip("| \n").split("|")] for line in text.splitlines() if line.startswith("|")]
    return (lines[0], lines[2:]) if len(lines) > 2 else ([], [])


def first_number(cell):
    found = re.search(r"\d+(\.\d+)?", cell)
    return float(found.group()) if found else None


def draw_spdy(kept, folder):
    own, streams, proxy = kept
    direct = [p for p in [chart.case_bars(own.rows(), "w4", "700 MB plain", "mbps", "700 MB, direct, HTTP", "MB/s", [("HTTP, 2013", 268)])] if p]
    then = [("SPDY 64 KiB, 2013", 170), ("SPDY 128 KiB, 2013", 205), ("AJP, 2013", 190)]
    _, lines = table((streams.found() or {}).get("text", ""))
    streamed = [(line[0].rpartition("stream, ")[2], first_number(line[1]), chart.OURS) for line in lines if line[0].startswith("700 MB")]
    if streamed:
        direct.append(chart.Bars("700 MB, one stream of Millrace", "MB/s", streamed, then[:2]))
    (head, lines), panels = table((proxy.found() or {}).get("text", "")), []
    for line in lines:
        cells = dict(zip(head[1:] if len(head) == len(line) else head, line[1:]))
        bars = lambda take: [(name, take(cell), chart.role_colour("", name)) for name, cell in cells.items() if first_number(cell) is not None]
        if "MB/s" in line[0]:
            panels.append(chart.Bars("700 MB through a proxy", "MB/s", bars(first_number), then))
        elif "CPU of the proxy for a GB" in line[0]:
            panels.append(chart.Bars("the same, CPU of the proxy", "s/GB", bars(first_number)))
        elif "slow responses" in line[0]:
            count = re.match(r"\d+", line[0]).group()
            panels.append(chart.Bars("%s slow responses: threads of the front end" % count, "",
                                     bars(lambda cell: first_number(cell.split("/")[1])),
                                     [("SPDY, 2013", 35), ("AJP, 2013", 195)] if count == "170" else ()))
    rows = [direct] + [panels[i:i + 2] for i in range(0, len(panels), 2)]
    yield "spdy.svg", chart.page("700 MB, and slow responses", "Millrace red, others grey; framed: the origin, on its own machine.", rows)


def draw_rx(kept, folder):
    rows = kept[0].rows()
    names = [("fib?n=25", "Fibonacci"), ("afib?n=25", "Fibonacci, asynchronous"), ("sleep?ms=50", "50 ms of waiting"),
             ("asleep?ms=50", "50 ms of waiting, asynchronous")]
    bars = lambda *which: [p for p in [chart.case_bars(rows, *which)] if p]
    panels = [sum((bars("w8", "%s c=%d" % (path, n), "rate", "%s, %d at a time" % (title, n), "/s") for path, title in pair), [])
              for n in (50, 100) for pair in (names[:2], names[2:])]
    panels.append(bars("w1", "hello c=1000", "rate", "hello, 1,000 at a time", "/s",
                       [("Rx server, 2012", 6250), ("node.js, 2012", 4760), ("MVC3, 2012", 230)]))
    yield "rx.svg", chart.page("Synchronous and asynchronous handlers", "More is better. Millrace red, others grey; framed: the origin.",
                               [row for row in panels if row])


# ------------------------------------------------------------------------------------------------ the report

def report(parts, folder, quick):
    yield "# The tables that Millrace grows out of\n"
    yield "Each under what its origin measured, on its machine and in its year; *now* is this machine. Ratios are explained in benchmarks/README.md.\n"
    for part in parts:
        kept = [Kept(folder, part, command) for command in (part.quick if quick else part.all)]
        yield "# %s\n\n*Then* (%s):\n\n| what | measured |\n|---|---|" % (part.title, part.source)
        yield "\n".join("| %s | %s |" % row for row in part.origin) + "\n\n*Now:*\n"
        for name in charts(part, kept, folder):
            yield "![%s](%s)\n" % (part.title, name)
        for each in kept:
            found = each.found()
            called = "`%s`" % each.command.replace("{into}/", "")
            if found is None:
                yield "Not measured yet: %s\n" % called
                continue
            if found["failed"]:
                yield "**Failed** (%s): %s. What it printed:\n" % (found["failed"], called)
            yield "Taken %s UTC of %s in %d s by %s\n" % (found["at"], found.get("commit") or "no commit", found["secs"], called)
            yield (re.sub("^#+", "##", found["text"], flags=re.M) if found["tables"]
                   else "\n".join("    " + line for line in found["text"].splitlines())) + "\n"


def measure(parts, folder, args):
    """False if something failed."""
    good = True
    for part in parts:
        for command in part.quick if args.quick else part.all:
            kept = Kept(folder, part, command)
            if args.again and re.search(args.again, part.name):
                kept.forget()
            found = kept.found()
            if found and not found["failed"]:
                continue
            found = kept.run(args.longest * 60)
            good &= not found["failed"]
            if found["failed"]:
                print("seeds.py: failed, and going on: %s: %s" % (command, found["failed"]), file=sys.stderr, flush=True)
            write(folder, args.quick)
    return good


def write(folder, quick):
    """Of all parts, whichever were asked for: those that were measured before are kept."""
    text = "\n".join(report(PARTS, folder, quick))
    with open(os.path.join(folder, "seeds.md"), "w") as f:
        f.write(text + "\n")
    return text


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--quick", action="store_true")
    p.add_argument("--only", default="", help="regular expression: only parts of which the name matches")
    p.add_argument("--again", default="", help="regular expression: parts of which nothing is taken from earlier calls")
    p.add_argument("--into", help="folder of results; results/seeds, or results/seeds-quick")
    p.add_argument("--longest", type=float, default=LONGEST / 60, help="minutes that one command may take")
    p.add_argument("--list", action="store_true")
    p.add_argument("--report", action="store_true", help="measure nothing")
    args = p.parse_args()
    parts = [part for part in PARTS if re.search(args.only, part.name)]
    if args.list:
        for part in parts:
            print("%-12s %s" % (part.name, part.title))
            for command in part.quick if args.quick else part.all:
                print("             " + command)
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = os.path.abspath(args.into or os.path.join("results", "seeds-quick" if args.quick else "seeds"))
    os.makedirs(folder, exist_ok=True)
    good = args.report or measure(parts, folder, args)
    print(write(folder, args.quick))
    print("seeds.py: %s/seeds.md and its charts" % folder, file=sys.stderr)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
