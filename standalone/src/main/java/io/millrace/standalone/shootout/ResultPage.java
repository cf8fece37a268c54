package io.millrace.standalone.shootout;

import io.millrace.handler.Page;
import io.millrace.standalone.shootout.ShootoutResult.Cell;
import io.millrace.standalone.shootout.ShootoutResult.Contestant;
import io.millrace.standalone.shootout.ShootoutResult.Sample;
import io.millrace.standalone.shootout.ShootoutResult.Tls;
import io.millrace.standalone.shootout.ShootoutResult.Waiting;
import io.millrace.standalone.shootout.ShootoutResult.Workload;
import io.millrace.text.Plural;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The report of a shoot-out: one of the server's own {@linkplain Page pages}, with charts as inline SVG. It refers to nothing outside
 * itself. Charts are drawn at the width of a phone and stand side by side where there is room, so that their texts keep their size.
 */
final class ResultPage {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** Colours have a contrast of at least 3:1 (WCAG 2.1, 1.4.11); each bar has its name besides. */
    private static final String STYLE = """
            :root{--c0:#0b57b8;--c1:#0b7a6b;--c2:#b25200;--c3:#7b3fb3;--c4:#66707b}
            @media(prefers-color-scheme:dark){:root{--c0:#82b4f8;--c1:#4fcdb8;--c2:#f2a25c;--c3:#c99cf5;--c4:#9ba4ae}}
            main{max-width:76rem;padding-top:clamp(1.5rem,5vh,3rem)}
            h2{font-size:1.125rem;font-weight:600;margin:2.5rem 0 .25rem}
            .message{border:1px solid var(--line);border-left:.25rem solid var(--link);padding:.75rem 1rem;margin:1rem 0;\
            max-width:52rem;font-size:1.0625rem}
            .failed{border-left-color:#c0392b}
            .charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(22rem,100%),1fr));gap:1.5rem 2rem;margin-top:1rem}
            figure{margin:0;min-width:0}
            figcaption{font-size:.875rem;font-weight:600}
            svg{display:block;width:100%;max-width:26rem;height:auto;font:12px system-ui,-apple-system,"Segoe UI",Roboto,\
            "Noto Sans","Liberation Sans",Arial,sans-serif}
            svg text{fill:var(--text)}
            svg .dim{fill:var(--soft)}
            svg .grid{stroke:var(--line)}
            svg .range{stroke:var(--text);stroke-width:1.25}
            .f0{fill:var(--c0)}.f1{fill:var(--c1)}.f2{fill:var(--c2)}.f3{fill:var(--c3)}.f4{fill:var(--c4)}
            .s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}.s4{stroke:var(--c4)}
            .faint{opacity:.4}
            .wide{overflow-x:auto}
            .wide th,.wide td{white-space:nowrap;padding-right:1.25rem}
            .result{margin-top:1.5rem}
            details{margin-top:1rem}
            summary{cursor:pointer;color:var(--link)}
            td:first-child{min-width:0}
            """;

    /** In the order of their colours. */
    private static final List<String> TRANSPORTS = List.of("nio", "nio2", "apr", "bio");

    private final ShootoutResult result;
    private final Advice advice;
    private final Page page = Page.titled("Millrace: which connector?");

    private ResultPage(ShootoutResult result, Advice advice) {
        this.result = result;
        this.advice = advice;
    }

    static String of(ShootoutResult result, Advice advice) {
        return new ResultPage(result, advice).write();
    }

    private String write() {
        page.markup("<style>" + STYLE + "</style>\n<h1>Which connector?</h1>\n<p class=\"message"
                        + (advice.verdict() == Advice.Verdict.INCONCLUSIVE ? " failed" : "") + "\">")
                .text(advice.sentence())
                .markup("</p>\n");
        result.leftOut()
                .forEach(each -> page.markup("<p class=\"soft\">").text(each).markup("</p>\n"));
        int most = result.clients().stream().mapToInt(Integer::intValue).max().orElseThrow();
        bars("Responses a second", most, Sample::rate, "More is better. The thin line spans all rounds.");
        bars(
                "Processor time of a response",
                most,
                Sample::cpu,
                "Microseconds of the server. Less is better: the machine can serve more, whatever limits the rate here.");
        if (result.workloads().stream().filter(each -> each.size() > 0).count() > 2) {
            sizes(most);
        }
        latencies();
        if (!result.waiting().isEmpty()) {
            waiting();
        }
        tables();
        settings();
        return page.end();
    }

    private static String clients(int count) {
        return Plural.of(count, "client");
    }

    private void section(String title, String remark) {
        page.markup("<h2>")
                .text(title)
                .markup("</h2>\n<p class=\"soft\">")
                .text(remark)
                .markup("</p>\n<div class=\"charts\">\n");
    }

    private void figure(String title, String svg) {
        page.markup("<figure><figcaption>").text(title).markup("</figcaption>\n" + svg + "</figure>\n");
    }

    private void endSection() {
        page.markup("</div>\n");
    }

    private void bars(String title, int clients, ToDoubleFunction<Sample> figure, String remark) {
        section(title + ", " + clients(clients), remark);
        for (Workload workload : result.workloads()) {
            Charts.Bars chart = new Charts.Bars(title + ", " + workload.title());
            for (Contestant contestant : result.contestants()) {
                Cell cell = result.cell(contestant, workload, clients);
                chart.bar(
                        contestant.tls().title(),
                        shortName(contestant),
                        color(contestant),
                        cell.median(figure),
                        cell.least(figure),
                        cell.most(figure),
                        Figures.number(cell.median(figure)));
            }
            figure(workload.title(), chart.svg());
        }
        endSection();
    }

    private void latencies() {
        Workload workload = result.workloads().get(0);
        section(
                "Latency, " + workload.title(),
                "Milliseconds: half of the responses took less than the strong bar, 99 of 100 less than the faint one. Each client sends"
                        + " its next request at once, so more clients wait longer.");
        for (int clients : result.clients()) {
            Charts.Bars chart = new Charts.Bars("Latency, " + clients(clients));
            for (Contestant contestant : result.contestants()) {
                Cell cell = result.cell(contestant, workload, clients);
                double p50 = cell.median(Sample::p50);
                double p99 = cell.median(Sample::p99);
                chart.pair(
                        contestant.tls().title(),
                        shortName(contestant),
                        color(contestant),
                        p50,
                        p99,
                        Figures.number(p50) + " / " + Figures.number(p99));
            }
            figure(clients(clients), chart.svg());
        }
        endSection();
    }

    private void sizes(int clients) {
        section("Megabytes a second by size, " + clients(clients), "Both axes double from line to line.");
        for (Tls tls : Tls.values()) {
            List<Contestant> group = result.contestants().stream()
                    .filter(each -> each.tls() == tls)
                    .toList();
            if (!group.isEmpty()) {
                Charts.Lines chart = new Charts.Lines("Megabytes a second, " + tls.title());
                for (Contestant contestant : group) {
                    List<double[]> points = new ArrayList<>();
                    for (Workload workload : result.workloads()) {
                        if (workload.size() > 0) {
                            double bytes =
                                    result.cell(contestant, workload, clients).median(Sample::bytes);
                            points.add(new double[] {workload.size(), bytes / 1e6});
                        }
                    }
                    chart.line(shortName(contestant), color(contestant), points);
                }
                result.workloads().stream()
                        .filter(each -> each.size() > 0)
                        .forEach(each ->
                                chart.mark((double) each.size(), each.title().replace(" ", "")));
                figure(tls == Tls.PLAIN ? "without TLS" : tls.title(), chart.svg());
            }
        }
        endSection();
    }

    private void waiting() {
        List<Waiting> all = result.waiting();
        section(
                "Synchronous and asynchronous servlets",
                Plural.of(all.get(0).clients(), "client") + " wait for a back end that takes "
                        + WaitingRounds.BACK_END_MILLIS
                        + " ms. A synchronous servlet (faint) keeps a thread meanwhile, an asynchronous one (strong) none. The last chart is"
                        + " without waiting: what asynchrony costs where a processor is all that is needed.");
        waiting("Responses a second", Waiting::rate, each -> Figures.number(each.rate()));
        waiting(
                "Threads of the process",
                Waiting::threads,
                each -> each.threads() < 0 ? Figures.UNKNOWN : "" + each.threads());
        waiting("Memory by which it grew, MB", each -> each.memory() / 1e6, each -> Figures.megabytes(each.memory()));
        waiting("Computed responses a second", Waiting::computed, each -> Figures.number(each.computed()));
        endSection();
        String sentence = Advice.ofWaiting(result);
        if (!sentence.isEmpty()) {
            page.markup("<p class=\"result\">").text(sentence).markup("</p>\n");
        }
    }

    private void waiting(String title, ToDoubleFunction<Waiting> figure, Function<Waiting, String> text) {
        Charts.Bars chart = new Charts.Bars(title);
        for (Waiting each : result.waiting()) {
            String name = each.transport() + (each.isAsync() ? " async" : " sync");
            String color = color(each.transport());
            double value = Math.max(0, figure.applyAsDouble(each));
            if (each.isAsync()) {
                chart.bar("", name, color, value, Double.NaN, Double.NaN, text.apply(each));
            } else {
                chart.pair("", name, color, 0, value, text.apply(each));
            }
        }
        figure(title, chart.svg());
    }

    private void tables() {
        page.markup("<h2>All figures</h2>\n");
        for (int clients : result.clients()) {
            page.markup("<details><summary>")
                    .text(clients(clients))
                    .markup("</summary><div class=\"wide\"><table><thead><tr>");
            page.markup("<th>Connector</th><th>Response</th>");
            for (String title : List.of("a second", "MB/s", "CPU µs", "p50 ms", "p99 ms", "spread", "failed")) {
                page.markup("<th class=\"number\">").text(title).markup("</th>");
            }
            page.markup("</tr></thead><tbody>\n");
            for (Workload workload : result.workloads()) {
                for (Contestant contestant : result.contestants()) {
                    Cell cell = result.cell(contestant, workload, clients);
                    page.markup("<tr><td>")
                            .text(contestant.name())
                            .markup("</td><td>")
                            .text(workload.title())
                            .markup("</td>");
                    number(Figures.number(cell.median(Sample::rate)));
                    number(Figures.number(cell.median(Sample::bytes) / 1e6));
                    number(Figures.number(cell.median(Sample::cpu)));
                    number(Figures.number(cell.median(Sample::p50)));
                    number(Figures.number(cell.median(Sample::p99)));
                    number(Figures.percent(cell.spread()));
                    number(String.valueOf(cell.failures()));
                    page.markup("</tr>\n");
                }
            }
            page.markup("</tbody></table></div></details>\n");
        }
    }

    private void number(String text) {
        page.markup("<td class=\"number\">").text(text).markup("</td>");
    }

    private void settings() {
        page.markup("<h2>How it was measured</h2>\n<table><tbody>\n");
        row(
                "when",
                TIME.format(result.began()) + ", for "
                        + Plural.of(Math.max(1, result.took().toMinutes()), "minute"));
        result.settings().forEach(each -> row(each.name(), each.value()));
        if (!result.client().isEmpty()) {
            row("clients", "encrypt by " + result.client() + ", whatever the server uses");
        }
        row(
                "noise",
                "other programs took " + Figures.percent(result.others()) + " of the processors ("
                        + Figures.percent(result.idle())
                        + " before the start), the servers' compilers " + Figures.percent(result.compilers())
                        + " of one; rounds of the same measurement differed by "
                        + Figures.percent(result.spread())
                        + " (medians)");
        page.markup("</tbody></table>\n<footer>millrace shootout</footer>\n");
    }

    private void row(String name, String value) {
        page.markup("<tr><th>").text(name).markup("</th><td>").text(value).markup("</td></tr>\n");
    }

    /** Without the TLS implementation, which is the title of the group. */
    private static String shortName(Contestant contestant) {
        String transport = contestant.transport();
        return transport == null ? contestant.name() : transport;
    }

    private static String color(Contestant contestant) {
        return color(shortName(contestant));
    }

    private static String color(String transport) {
        int index = TRANSPORTS.indexOf(transport);
        return String.valueOf(index < 0 ? TRANSPORTS.size() : index);
    }
}
