#!/usr/bin/env python3
"""Every table of the systems that Millrace grows out of, each under what its origin measured, beside today's peers.

  seeds.py                      all of it: about two hours
  seeds.py --quick              fewer sizes and rounds: about forty minutes
  seeds.py --only 'spdy|jetty'  some parts (connectors, httpd, undertow, jetty, spdy, rx)
  seeds.py --list               what the parts are, without running them

Prints one report, which is also written to results/seeds.md, and draws the static files to results/seeds-files.svg.
"""
import argparse, glob, os, re, subprocess, sys, time

BENCH = os.path.dirname(os.path.abspath(__file__))
CONNECTORS = "millrace-nio,millrace-nio2,millrace-apr,millrace-bio,tomcat9-nio,tomcat9-nio2,tomcat9-apr"
PEERS = "millrace-nio,millrace-nio2,tomcat9-nio,undertow,jetty12"


class Part:
    """One origin: what it measured, and the commands that measure the same; quick ones where they are others."""

    def __init__(self, name, title, origin, commands, quick=None):
        self.name, self.title, self.origin, self.commands, self.quick = name, title, origin, commands, quick or commands


PARTS = (
    Part("connectors", "Tomcat's connectors: BIO, NIO, NIO2, APR",
         "J.-F. Clere, 2014: throughput and CPU of files of 4 KiB to 32 MiB to 4, 40 and 80 clients, plain and with TLS, on each "
         "connector and httpd. OpenSSL on APR was faster than JSSE on the others; BIO was limited by its threads.",
         [["bench.py", "w3", "--sizes", "4k,64k,512k,8m,32m", "--conns", "4,40,80", "--rounds", "2", "--time", "2",
           "--servers", CONNECTORS]],
         [["bench.py", "w3", "--sizes", "4k,512k,32m", "--conns", "40", "--rounds", "2", "--time", "2", "--servers", CONNECTORS]]),
    Part("httpd", "httpd before the container: mod_jk, mod_proxy_ajp, mod_proxy_http",
         "J.-F. Clere, 2014: the three modules before Tomcat, plain and with TLS at the front.",
         [["httpd.py", "--into", "results/seeds-httpd.json"]],
         [["httpd.py", "--quick", "--sizes", "4k,64k", "--conns", "40", "--into", "results/seeds-httpd.json"]]),
    Part("undertow", "Undertow's file cache, and 10,000 connections",
         "S. Douglas and J. Greene, 2012: more than 100,000 requests a second for a file of 808 bytes by a laptop with two cores, "
         "pipelined, about 1 GB/s over mixed sizes, and nearly the same with 10,000 connections.",
         [["bench.py", "w3", "w6", "--sizes", "808,16k,128k,2m", "--conns", "80", "--rounds", "3", "--servers", PEERS + ",nginx"]],
         [["bench.py", "w3", "w6", "--quick", "--sizes", "808,128k", "--conns", "80", "--rounds", "2", "--servers", PEERS + ",nginx"]]),
    Part("jetty", "Jetty 6: a thread only while the servlet runs",
         "G. Wilkins, 2007: 20 KB to clients of 8 Mb/s and 180 ms, 80 a second: more than 40 threads where writing blocks, two where "
         "the rest is flushed asynchronously. 85 KB of the process for each of 20,000 idle connections.",
         [["bench.py", "w5", "w6", "--servers", PEERS]],
         [["bench.py", "w5", "w6", "--quick", "--servers", PEERS]]),
    Part("spdy", "The SPDY redirector: 700 MB, and 170 slow responses",
         "K. Preißer, 2013: 700 MB in writes of 32 KB: HTTP direct 260–275 MB/s, SPDY 170 MB/s (window of 64 KiB) and 205 MB/s (128 KiB), "
         "AJP 190 MB/s. 170 slow responses: the front end went from 29 to 35 threads, by AJP from 26 to 195. CPU of front and back end: "
         "43–50 and 35–40 % by SPDY, 20 and 10 % by AJP.",
         [["bench.py", "w4", "w7", "--servers", PEERS], ["streams.py", "--only", "download|slow"], ["proxy.py", "--only", "download|slow"]],
         [["bench.py", "w4", "w7", "--quick", "--rounds", "1", "--servers", PEERS],
          ["streams.py", "--only", "download|slow", "--rounds", "2"], ["proxy.py", "--only", "download|slow", "--rounds", "2"]]),
    Part("rx", "Asynchronous beside synchronous handlers",
         "A web server on .NET, 2012: asynchronous handlers lost where the processor was the limit (Fibonacci), won or lost where a slow "
         "back end was waited for, at 50 and 100 concurrent requests; 10,000 requests, 1,000 at a time, took 1.6 s, node.js 2.1 s.",
         [["bench.py", "w8", "w1", "--only", "c=50|c=100|c=1000", "--servers", PEERS]],
         [["bench.py", "w8", "w1", "--quick", "--only", "c=50|c=100|c=1000", "--rounds", "2", "--servers", PEERS]]),
)


def run(command):
    """What it prints from its tables on; where it fails its end."""
    print("seeds.py: " + " ".join(command), file=sys.stderr, flush=True)
    done = subprocess.run([sys.executable, os.path.join(BENCH, command[0]), *command[1:]], stdout=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL)
    lines = done.stdout.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith(("## ", "###", "| "))), None)
    if first is None:
        return False, "Failed: `%s`\n\n    %s" % (" ".join(command), "\n    ".join(lines[-10:]))
    return done.returncode == 0, "\n".join(lines[first:])


def report(parts, quick):
    good = True
    yield "# The tables that Millrace grows out of\n\nTaken %s UTC.\n" % time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    for part in parts:
        yield "# %s\n\n*Then.* %s\n\n*Now.*\n" % (part.title, part.origin)
        for command in part.quick if quick else part.commands:
            fine, text = run(command)
            good &= fine
            yield re.sub("^#+", "##", text, flags=re.M) + "\n"
            if "w3" in command and part.name == "connectors":
                newest = max(glob.glob("results/*.json"), key=os.path.getmtime)
                subprocess.run([sys.executable, os.path.join(BENCH, "chart.py"), "-o", "results/seeds-files.svg", newest], check=True)
                yield "![static files](seeds-files.svg)\n"
    if not good:
        yield "Some of these commands failed; what they printed is above."


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--quick", action="store_true")
    p.add_argument("--only", default="", help="regular expression: only parts of which the name matches")
    p.add_argument("--list", action="store_true")
    args = p.parse_args()
    parts = [part for part in PARTS if re.search(args.only, part.name)]
    if args.list:
        for part in parts:
            print("%-12s %s" % (part.name, part.title))
            for command in part.quick if args.quick else part.commands:
                print("             " + " ".join(command))
        return
    os.makedirs("results", exist_ok=True)
    with open("results/seeds.md", "w") as f:
        for text in report(parts, args.quick):
            print(text, flush=True)
            f.write(text + "\n")


if __name__ == "__main__":
    main()
