"""What is measured and compared, and the tables of the results.

  report.py FILE.json...      the tables of one run or of several together
  --summary                   the ratios of the product alone
  --grid                      the same, a line for each server, with a column for each number of connections
"""
import json, statistics, sys

WORKLOADS = {
    # key: (title, columns, the column compared, higher is better)
    "w1": ("Hello, keep-alive (wrk)", "rate p50 p99 cpu_req rss threads srv_busy", "rate", True),
    "w2": ("Hello, pipelined 16 deep (wrk)", "rate p50 p99 cpu_req rss threads srv_busy", "rate", True),
    "w3": ("Static files (wrk)", "mbps rate p50 p99 cpu_gb cpu_req rss srv_busy cli_busy", "mbps", True),
    "w4": ("One 700 MB dynamic response", "mbps cpu_gb rss srv_busy cli_busy", "mbps", True),
    "w5": ("Slow clients: 8 Mb/s, 180 ms round trip (modelled by the client)",
           "in_servlet threads p50 p99 cpu_req rss", "in_servlet", False),
    "w6": ("Memory per idle keep-alive connection",
           "kb_conn heap_conn native_conn conns alive threads accept cpu_conn", "kb_conn", False),
    "w7": ("Slow responses: lines with pauses", "threads in_servlet p50 p99 late cpu_req rss", "threads", False),
    "w8": ("Sync and async servlets, CPU-bound and waiting", "rate p50 p99 cpu_req threads rss", "rate", True),
    "w9": ("Connections without keep-alive, 1000 at a time (ab, wrk)", "rate p50 p99 cpu_req rss threads", "rate", True),
    "w10": ("Start to first response, size at rest", "startup cpu_ms rss threads", "startup", False),
    "w11": ("TLS handshakes (ab, no keep-alive, no resumption)", "rate p50 p99 cpu_req rss", "rate", True),
    "w12": ("HTTP/2 over TLS (h2load)", "rate p50 p99 cpu_req rss threads", "rate", True),
    "w13": ("Uploads (wrk POST)", "rate mbps p50 p99 cpu_req rss", "rate", True),
    "w14": ("Hello over TLS, keep-alive (wrk)", "rate p50 p99 cpu_req rss threads srv_busy", "rate", True),
    "w15": ("64 KiB, dynamic, plain and TLS (wrk)", "rate mbps p50 p99 cpu_req rss threads srv_busy", "rate", True),
    "w16": ("Memory per idle keep-alive connection, TLS",
            "kb_conn heap_conn native_conn conns alive threads accept cpu_conn", "kb_conn", False),
    "w17": ("New requests beside 20,000 idle connections", "p50_alone p50 p99 max conns alive accept threads fds rss",
            "p99", False),
    "w18": ("10,000 connections opened and reset at once: what is left after the second time",
            "fd_left thread_left direct_left heap_left conns fds threads", None, False),
    "w21": ("TLS handshakes resumed, without a request (openssl s_time)", "rate cpu_req rss", "rate", True),
    "w20": ("Start of the distributions by their own scripts, one port, one WAR", "startup cpu_ms rss threads", "startup", False),
    "w19": ("Hello at the same rate for all (h2load)", "p50 p99 rate cpu_req rss threads srv_busy", "p99", False),
}
HEAD = {"rate": "per s", "mbps": "MB/s", "p50": "p50 ms", "p99": "p99 ms", "cpu_req": "CPU us/req", "cpu_gb": "CPU s/GB",
        "rss": "peak RSS MB", "threads": "threads", "srv_busy": "server CPU %", "cli_busy": "client CPU %",
        "in_servlet": "in servlet, peak", "kb_conn": "KB/conn", "heap_conn": "heap KB/conn",
        "native_conn": "native KB/conn", "conns": "connected", "alive": "still open", "accept": "conn/s",
        "cpu_conn": "CPU us/conn", "late": "p99 late ms", "startup": "start ms", "cpu_ms": "CPU ms", "noise": "noise %",
        "p50_alone": "p50 ms alone", "max": "max ms", "fds": "descriptors", "fd_left": "descriptors left",
        "thread_left": "threads left", "direct_left": "direct KB left", "heap_left": "heap KB left"}
COSTS = ("cpu_gb", "cpu_req", "cpu_conn", "cpu_ms")



def median(rows, column):
    v = [r[column] for r in rows if r.get(column) is not None]
    return statistics.median(v) if v else None


def ratio(mine, other, higher):
    """Above 1: mine is better."""
    if not mine or not other or mine < 0 or other < 0:
        return None
    return mine / other if higher else other / mine


def cases(rows):
    """Per workload and case, in order: what was measured of each server, as medians, with its ratios."""
    for w, (title, cols, main, higher) in WORKLOADS.items():
        mine = [r for r in rows if r["workload"] == w]
        for case in dict.fromkeys(r["case"] for r in mine):
            of_case = [r for r in mine if r["case"] == case]
            yield w, case, compared({s: [r for r in of_case if r["server"] == s]
                                     for s in dict.fromkeys(r["server"] for r in of_case)}, cols.split(), main, higher)


def compared(by_server, cols, main, higher):
    cost = next((c for c in COSTS if c in cols), None)
    agg = {}
    for s, rr in by_server.items():
        a = agg[s] = {c: median(rr, c) for c in set(cols) | {"noise"}}
        a.update(role=rr[0]["role"], same=rr[0].get("same"), errors=sum(r.get("errors", 0) for r in rr), main=main and a[main])
        v = [r[main] for r in rr if r.get(main) is not None]
        a["spread"] = (max(v) - min(v)) / statistics.median(v) if len(v) > 1 and statistics.median(v) else None
    peers = [a for a in agg.values() if a["role"] == "peer"]
    best = (max if higher else min)((a["main"] for a in peers if a["main"]), default=None)
    cheapest = min((a[cost] for a in peers if cost and a[cost]), default=None)
    for a in agg.values():
        same = agg.get(a["same"])
        a["x_best"] = ratio(a["main"], best, higher)
        a["x_same"] = same and ratio(a["main"], same["main"], higher)
        a["cpu_x_best"] = cost and ratio(a[cost], cheapest, False)
        a["cpu_x_same"] = cost and same and ratio(a[cost], same[cost], False)
    return agg


def fmt(v):
    if v is None or v != v:
        return "-"
    if isinstance(v, float) and abs(v) < 10:
        return "%.2f" % v
    if isinstance(v, float) and abs(v) < 100:
        return "%.1f" % v
    return "%d" % round(v)


def percent(v):
    return "-" if v is None else "%d%%" % (v * 100)


def table(head, lines, words=2):
    return (["| " + " | ".join(head) + " |", "|" + "---|" * words + "---:|" * (len(head) - words)]
            + ["| " + " | ".join(line) + " |" for line in lines] + [""])


RATIOS = ("x_same", "x_best", "cpu_x_same", "cpu_x_best")
RATIO_HEAD = ["vs same", "vs best peer", "CPU vs same", "CPU vs best peer"]


def summary(rows):
    """The product's servers alone, with their ratios; those below 1 are bold."""
    lines = []
    for w, case, agg in cases(rows):
        main = WORKLOADS[w][2]
        for s, a in agg.items():
            if a["role"] == "subject" and main:
                lines.append([case, s, "%s %s" % (fmt(a["main"]), HEAD[main])] + [
                    "-" if a[x] is None else ("**%.2f**" if a[x] < 1 else "%.2f") % a[x] for x in RATIOS] + [
                    "%d" % a["errors"], percent(a["spread"])])
    return table(["case", "server", "median"] + RATIO_HEAD + ["errors", "spread"], lines, 3) if lines else []


def grid(rows):
    """The product's ratios: against the same transport, against the best peer, CPU against the same transport."""
    lines, columns = {}, []
    for w, case, agg in cases(rows):
        what, _, column = case.rpartition(" ")
        for s, a in agg.items():
            if a["role"] == "subject":
                columns += [column] if column not in columns else []
                lines.setdefault((what, s), {})[column] = " / ".join(
                    "-" if a[x] is None else "%.2f" % a[x] for x in ("x_same", "x_best", "cpu_x_same"))
    return table(["case", "server"] + columns,
                 [[what, s] + [by.get(c, "-") for c in columns] for (what, s), by in lines.items()])


def details(rows):
    out = []
    by_workload = {}
    for w, case, agg in cases(rows):
        by_workload.setdefault(w, []).append((case, agg))
    for w, list_of in by_workload.items():
        title, cols = WORKLOADS[w][0], WORKLOADS[w][1].split()
        lines = []
        for case, agg in list_of:
            for s, a in agg.items():
                lines.append([case, s if a["role"] == "peer" else "%s (%s)" % (s, a["role"])] + [
                    fmt(a[c] / 1e6) if c == "rss" and a[c] else fmt(a[c]) for c in cols] + ["%d" % a["errors"]] + [
                    fmt(a[x]) for x in RATIOS] + [percent(a["spread"]), fmt(a["noise"])])
        out += ["## %s %s" % (w.upper(), title), ""] + table(
            ["case", "server"] + [HEAD[c] for c in cols] + ["errors"] + RATIO_HEAD + ["spread", "noise %"], lines)
    return out


def report(rows, notes, meta):
    out = ["# Results", ""] + ["- %s: %s" % kv for kv in meta.items()] + [
        "", "Numbers are medians over the rounds. Ratios: above 1 is better, also where less is better. *vs same*: against",
        "Tomcat 9 with the same transport (bio: against its NIO, as Tomcat 9 has no blocking connector). *vs best peer*: against",
        "the best server of role `peer`. *CPU vs …*: the same for the server's CPU time per request (or per GB), which other",
        "load on the machine disturbs least. *spread*: (max - min) / median of the compared column over the rounds.",
        "*noise*: share of the whole machine's CPU used by neither the server nor the load generator.", ""]
    short = summary(rows)
    if short:
        out += ["## In short", ""] + short
    out += details(rows)
    if notes:
        out += ["## Not measured or failed", ""] + ["- " + n for n in notes] + [""]
    return "\n".join(out)


def main():
    files = [f for f in sys.argv[1:] if not f.startswith("--")]
    rows, notes, meta = [], [], {}
    for name in files:
        with open(name) as f:
            run = json.load(f)
        rows += run["rows"]
        notes += run["notes"]
        meta.update({k: v if meta.get(k, v) == v else "%s; %s" % (meta[k], v) for k, v in run["meta"].items()})
    short = grid if "--grid" in sys.argv else summary if "--summary" in sys.argv else None
    print("\n".join(short(rows)) if short else report(rows, notes, meta))


if __name__ == "__main__":
    main()
