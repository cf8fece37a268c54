#!/usr/bin/env python3
"""Draws the static files of a run (w3) as SVG: a panel per case, a bar per server, throughput above and CPU below.

  chart.py RESULTS.json... > files.svg       (or the file named by -o)
"""
import json, sys
from html import escape

from report import cases

WIDTH, BAR, GAP, PANEL, LEFT, TOP = 150, 13, 3, 30, 120, 70
COLOURS = {"subject": "#b5451b", "peer": "#6b7f94", "ceiling": "#b9c2cc"}


def bars(out, x, y, title, rows, unit):
    """rows: (server, role, value)."""
    out.append('<text x="%d" y="%d" font-weight="bold">%s</text>' % (x, y, escape(title)))
    most = max((v for _, _, v in rows if v), default=1)
    for i, (server, role, value) in enumerate(rows):
        top = y + 8 + i * (BAR + GAP)
        length = WIDTH * (value or 0) / most
        out.append('<text x="%d" y="%d" text-anchor="end" fill="#333">%s</text>' % (x + LEFT - 6, top + 10, escape(server)))
        out.append('<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>' % (x + LEFT, top, length, BAR, COLOURS[role]))
        label = "-" if not value else "%.3g %s" % (value, unit)
        out.append('<text x="%.1f" y="%d" fill="#333">%s</text>' % (x + LEFT + length + 4, top + 10, label))
    return 8 + len(rows) * (BAR + GAP) + PANEL


def main():
    args = sys.argv[1:]
    target = None
    if "-o" in args:
        at = args.index("-o")
        target = args[at + 1]
        del args[at:at + 2]
    rows = []
    for name in args:
        with open(name) as f:
            rows += json.load(f)["rows"]
    columns = LEFT + WIDTH + 110
    out, y = [], TOP
    for workload, case, agg in cases(rows):
        if workload != "w3":
            continue
        servers = sorted(agg.items(), key=lambda kv: -(kv[1].get("mbps") or 0))
        high = bars(out, 10, y, case, [(s, a["role"], a.get("mbps")) for s, a in servers], "MB/s")
        bars(out, 10 + columns, y, case, [(s, a["role"], a.get("cpu_req")) for s, a in servers], "µs")
        y += high
    head = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">'
            % (2 * columns + 20, y), '<rect width="100%" height="100%" fill="white"/>',
            '<text x="10" y="24" font-size="16">Static files: throughput, more is better</text>',
            '<text x="%d" y="24" font-size="16">Server CPU per request, less is better</text>' % (10 + columns),
            '<text x="10" y="44" fill="#666">Millrace red, Java peers blue, others grey; medians of one run</text>']
    text = "\n".join(head + out + ["</svg>"]) + "\n"
    if target:
        with open(target, "w") as f:
            f.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
