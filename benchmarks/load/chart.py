#!/usr/bin/env python3
"""Charts as SVG, for light and dark pages: panels of bars, and of lines over file sizes.

  chart.py RESULTS.json... > files.svg       the static files (w3) of a run, or into the file named by -o

page.py and seeds.py draw their charts with what is here.
"""
import json, math, sys, textwrap
from html import escape

from report import cases

# one colour for a transport, whoever's it is: Millrace's line is solid, Tomcat's dashed (Okabe and Ito: told apart by all eyes)
COLOURS = {"nio-openssl": "#7a4a1e", "apr-openssl": "#6f3fbf", "nio": "#d55e00", "nio2": "#0072b2", "apr": "#009e73", "bio": "#cc79a7", "undertow": "#56b4e9",
           "jetty12": "#b08a00", "nginx": "#808080", "netty": "#999999", "httpd": "#808080"}
OURS, THEIRS = "#d55e00", "#7f93a8"
# An image follows the colour scheme of the reader's system, whatever the page that shows it.
STYLE = """<style>
text{fill:#1f2328}.muted{fill:#59636e}.rule{stroke:#d1d9e0}.frame{stroke:#59636e;fill:none}.hollow{fill:#fff}
.ours{fill:#d1570c}.theirs{fill:#8b98a5}.ceiling{fill:#c3ccd5}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.muted{fill:#9198a1}.rule{stroke:#3d444d}.frame{stroke:#9198a1}.hollow{fill:#0d1117}
.ours{fill:#f0883e}.theirs{fill:#768390}.ceiling{fill:#4d5761}}
</style>"""
WIDTH, HEIGHT = 300, 190  # of the area of a panel of lines
BAR, GAP = 14, 4


def text(x, y, what, **style):
    more = "".join(' %s="%s"' % (k.rstrip("_").replace("_", "-"), v) for k, v in style.items())
    return '<text x="%.1f" y="%.1f"%s>%s</text>' % (x, y, more, escape(what))


def number(value):
    """As a reader writes it: 351,000, 12.5, 0.08."""
    digits = max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0
    return "{:,.0f}".format(round(value, 2 - math.floor(math.log10(abs(value))))) if abs(value) >= 100 else "%.*f" % (
        digits, value) if digits < 3 else "%.2g" % value


class Bars:
    """A bar for each (label, value, colour), from zero; origins are (label, value) of the origin, drawn as black frames above them."""

    def __init__(self, title, unit, rows, origins=()):
        self.title, self.unit = title, unit
        self.rows = [(label + " (then)", value, None) for label, value in origins] + [r for r in rows if r[1] is not None]
        self.label = 6.4 * max([len(label) for label, _, _ in self.rows] or [0]) + 8
        self.width = self.label + 230 + 75
        self.height = 26 + len(self.rows) * (BAR + GAP) + 10

    def draw(self, x, y):
        yield text(x, y + 12, self.title, font_weight="bold")
        most = max([value for _, value, _ in self.rows] or [1]) or 1
        for i, (label, value, colour) in enumerate(self.rows):
            top, length = y + 24 + i * (BAR + GAP), 230 * value / most
            yield text(x + self.label - 6, top + 11, label, text_anchor="end")
            fill = 'class="frame" stroke-dasharray="3 2"' if colour is None else 'fill="%s"' % colour
            yield '<rect x="%.1f" y="%.1f" width="%.1f" height="%d" %s/>' % (x + self.label, top, max(1, length), BAR, fill)
            yield text(x + self.label + length + 5, top + 11, "%s %s" % (number(value), self.unit))


class Lines:
    """A line for each name → [(x, value)], both axes logarithmic; x has labels."""

    def __init__(self, title, unit, series, labels):
        self.title, self.unit, self.series, self.labels = title, unit, series, labels
        self.width, self.height = WIDTH + 75, HEIGHT + 62

    def draw(self, x, y):
        left, top = x + 52, y + 26
        values = [v for points in self.series.values() for _, v in points if v and v > 0]
        places = sorted(self.labels)
        if not values or not places:
            return
        low, high = decade(min(values), math.floor), decade(max(values), math.ceil)
        yield text(x, y + 12, "%s, %s" % (self.title, self.unit), font_weight="bold")
        span = max(1e-9, math.log(places[-1] / places[0]))
        across = lambda place: left + 12 + (WIDTH - 24) * (math.log(place / places[0]) / span if len(places) > 1 else 0.5)
        up = lambda value: top + HEIGHT * (1 - math.log(value / low) / math.log(high / low))
        yield '<rect x="%.1f" y="%.1f" width="%d" height="%d" class="frame"/>' % (left, top, WIDTH, HEIGHT)
        for tick in ticks(low, high):
            yield '<path d="M%.1f %.1fh%d" class="rule"/>' % (left, up(tick), WIDTH)
            yield text(left - 5, up(tick) + 4, number(tick), text_anchor="end", class_="muted")
        for place in places:
            yield text(across(place), top + HEIGHT + 15, self.labels[place], text_anchor="middle", class_="muted")
        for name, points in self.series.items():
            points = [(across(place), up(v)) for place, v in sorted(points) if v and v > 0]
            colour, ours = look(name)
            yield '<path d="M%s" fill="none" stroke="%s" stroke-width="1.8"%s/>' % (
                "L".join("%.1f %.1f" % p for p in points), colour, "" if ours else ' stroke-dasharray="5 3"')
            yield from (mark(px, py, colour, ours) for px, py in points)


def decade(value, rounded):
    """1, 2 or 5 of a power of ten, at most or at least the value."""
    power = 10.0 ** math.floor(math.log10(value))
    steps = [power, 2 * power, 5 * power, 10 * power]
    return max(s for s in steps if s <= value * 1.0001) if rounded is math.floor else min(
        s for s in steps + [20 * power] if s > value)


def ticks(low, high):
    found = [m * 10.0 ** p for p in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for m in (1, 2, 5)]
    found = [t for t in found if low * 0.999 <= t <= high * 1.001]
    return found if len(found) < 9 else [t for t in found if ("%e" % t).startswith("1")]


def mark(x, y, colour, ours):
    if ours:
        return '<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (x, y, colour)
    return '<rect x="%.1f" y="%.1f" width="6" height="6" class="hollow" stroke="%s" stroke-width="1.5"/>' % (x - 3, y - 3, colour)


def look(name):
    """Colour of a server, and whether it is ours."""
    ours = name.startswith("millrace")
    kind = name.partition("-")[2] if ours or name.startswith("tomcat9-") else name.partition("-")[0]
    return COLOURS.get(kind, OURS if ours else THEIRS), ours


def legend(names, x, y, width):
    """Lines, marks and names; and how far down they reach."""
    out, at = [], x
    for name in names:
        colour, ours = look(name)
        needed = 48 + 6.6 * len(name)
        if at + needed > x + width:
            at, y = x, y + 18
        out.append('<path d="M%.1f %.1fh28" stroke="%s" stroke-width="1.8"%s/>' % (
            at, y - 4, colour, "" if ours else ' stroke-dasharray="5 3"'))
        out += [mark(at + 14, y - 4, colour, ours), text(at + 33, y, name)]
        at += needed
    return out, y


def page(title, note, rows, names=()):
    """Rows of panels under a title, a note and a legend of the names."""
    width = max([620] + [sum(panel.width + 20 for panel in row) + 10 for row in rows])
    out, y = [text(10, 24, title, font_size="16"), text(10, 43, note, class_="muted")], 62
    if names:
        more, y = legend(names, 10, 64, width - 20)
        out, y = out + more, y + 20
    for row in rows:
        x = 10
        for panel in row:
            out += panel.draw(x, y)
            x += panel.width + 20
        y += max([panel.height for panel in row] or [0]) + 8
    head = ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">' % (width, y + 6)) + STYLE
    return "\n".join([head] + out + ["</svg>"]) + "\n"


# ------------------------------------------------------------------------------------------------ servers beside each other

PANEL, ROW, THICK = 400, 25, 17  # width of a panel, distance and thickness of its bars


def round_steps(most):
    """Where the axis of a panel has its rules: three to five round numbers above zero, the last one at or below the longest bar."""
    power = 10.0 ** math.floor(math.log10(most))
    step = next(s for s in (power / 5, power / 4, power / 2, power, 2 * power, 2.5 * power) if most / s <= 4.5)
    return [step * i for i in range(1, int(most / step + 1e-9) + 1)]


def servers(title, note, groups, columns):
    """One panel for each (title, unit, [(label, value, class)]), so many beside each other: a bar for each server, from zero.

    title: read aloud in place of the image; note: the method, beneath the panels."""
    width = columns * PANEL
    out, y = ["<title>%s</title>" % escape(title)], 4
    for at in range(0, len(groups), columns):
        row = groups[at:at + columns]
        for i, (name, unit, bars) in enumerate(row):
            out += panel(i * PANEL, y, name, unit, bars)
        y += max(len(bars) for _, _, bars in row) * ROW + 78
    for line in textwrap.wrap(note, int(width / 6.6)):
        out.append(text(8, y + 8, line, class_="muted", font_size="12"))
        y += 16
    height = y + 8 if note else y - 20
    head = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" '
            'font-family="system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif" font-size="14">' % (width, height, width, height))
    return "\n".join([head + STYLE] + out + ["</svg>"]) + "\n"


def panel(x, y, name, unit, bars):
    left, top, length = x + 84, y + 36, PANEL - 84 - 84
    yield text(x + 8, y + 20, name, font_weight="600")
    yield text(x + PANEL - 14, y + 20, unit, class_="muted", text_anchor="end", font_size="12")
    most = max(value for _, value, _ in bars)
    for step in [0] + round_steps(most):
        at, base = left + length * step / most, top + len(bars) * ROW
        yield '<path d="M%.1f %.1fV%.1f" class="rule"/>' % (at, top - 4, base)
        yield text(at, base + 15, "{:,.0f}".format(step), class_="muted", text_anchor="middle", font_size="11")
    for i, (label, value, kind) in enumerate(bars):
        at = top + i * ROW
        bold = {"font_weight": "600"} if kind == "ours" else {}
        yield text(left - 8, at + 13, label, text_anchor="end", **bold)
        yield '<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="2" class="%s"/>' % (left, at, max(1, length * value / most), THICK, kind)
        yield text(left + length * value / most + 6, at + 13, number(value), font_size="13", **bold)


# ------------------------------------------------------------------------------------------------ from results of bench.py

def role_colour(role, name):
    return OURS if role == "subject" or name.startswith("millrace") else THEIRS


def case_bars(rows, workload, case, column, title, unit, origins=(), higher=True):
    """The servers of one case, the best first."""
    for _, found, agg in cases([r for r in rows if r["workload"] == workload]):
        if found == case:
            bars = [(s, a.get(column), role_colour(a["role"], s)) for s, a in agg.items() if a.get(column) is not None]
            return Bars(title, unit, sorted(bars, key=lambda b: -b[1] if higher else b[1]), origins)
    return None


def size_lines(rows, sizes, columns=(("mbps", "MB/s"), ("cpu_gb", "CPU s/GB"))):
    """Panels of the static files: a row for plain or TLS and each number of connections; and the servers in them."""
    series, names = {}, []
    for _, case, agg in cases([r for r in rows if r["workload"] == "w3"]):
        words = case.split()
        if len(words) != 3 or words[1] not in sizes:
            continue
        for server, a in agg.items():
            names += [server] if server not in names else []
            for column, _ in columns:
                series.setdefault((words[0], words[2]), {}).setdefault(column, {}).setdefault(server, []).append(
                    (sizes[words[1]], a.get(column)))
    labels = {sizes[w]: w for w in sizes if any(w in r["case"].split() for r in rows)}
    return [[Lines("%s, %s connections" % (kind, conns[2:]), unit, by[column], labels) for column, unit in columns]
            for (kind, conns), by in series.items()], names


def main():
    from bench import FILES
    args = sys.argv[1:]
    target = args.pop(args.index("-o") + 1) if "-o" in args else None
    rows = []
    for name in args:
        if name != "-o":
            with open(name) as f:
                rows += json.load(f)["rows"]
    panels, names = size_lines(rows, FILES)
    drawn = page("Static files: throughput, more is better; CPU of the server, less is better",
                 "Size of the file on a logarithmic axis; Millrace solid, others dashed; medians of one run", panels, names)
    if target:
        with open(target, "w") as f:
            f.write(drawn)
    else:
        sys.stdout.write(drawn)


if __name__ == "__main__":
    main()
