package io.millrace.standalone.shootout;

import io.millrace.handler.Json;
import io.millrace.standalone.shootout.ShootoutResult.Cell;
import io.millrace.standalone.shootout.ShootoutResult.Sample;
import io.millrace.standalone.shootout.ShootoutResult.Waiting;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes the figures of a shoot-out as JSON: numbers in the units that their names say, null for what is unknown; rounds in the order in
 * which they were measured.
 */
final class ResultJson {

    private ResultJson() {}

    static String of(ShootoutResult result, Advice advice) {
        return "{\"began\":"
                + Json.quote(result.began().truncatedTo(ChronoUnit.SECONDS).toString())
                + ",\n\"seconds\":" + result.took().toSeconds()
                + ",\n\"settings\":{"
                + join(result.settings(), each -> Json.quote(each.name()) + ":" + Json.quote(each.value()))
                + "},\n\"client\":" + Json.quote(result.client())
                + ",\n\"othersBefore\":" + number(result.idle())
                + ",\n\"others\":" + number(result.others())
                + ",\n\"compilers\":" + number(result.compilers())
                + ",\n\"spread\":" + number(result.spread())
                + ",\n\"leftOut\":[" + join(result.leftOut(), Json::quote)
                + "],\n\"cells\":[\n"
                + result.cells().stream().map(ResultJson::cell).collect(Collectors.joining(",\n"))
                + "],\n\"waiting\":[\n"
                + result.waiting().stream().map(ResultJson::waiting).collect(Collectors.joining(",\n"))
                + "],\n\"verdict\":" + Json.quote(advice.verdict().name().toLowerCase(Locale.ROOT))
                + ",\n\"advice\":" + Json.quote(advice.sentence()) + "}\n";
    }

    private static String cell(Cell cell) {
        return "{\"connector\":" + Json.quote(cell.contestant().name())
                + ",\"tls\":" + Json.quote(cell.contestant().tls().word())
                + ",\"workload\":" + Json.quote(cell.workload().title())
                + ",\"clients\":" + cell.clients()
                + ",\"responsesPerSecond\":" + number(cell.median(Sample::rate))
                + ",\"bytesPerSecond\":" + number(cell.median(Sample::bytes))
                + ",\"cpuMicros\":" + number(cell.median(Sample::cpu))
                + ",\"p50Millis\":" + number(cell.median(Sample::p50))
                + ",\"p99Millis\":" + number(cell.median(Sample::p99))
                + ",\"clientCpu\":" + number(cell.median(Sample::clientPart))
                + ",\"spread\":" + number(cell.spread())
                + ",\"failures\":" + cell.failures()
                + ",\"rounds\":["
                + join(
                        cell.samples(),
                        sample -> "{\"responsesPerSecond\":" + number(sample.rate()) + ",\"cpuMicros\":"
                                + number(sample.cpu()) + ",\"others\":" + number(sample.others()) + "}")
                + "]}";
    }

    private static String waiting(Waiting each) {
        return "{\"transport\":" + Json.quote(each.transport())
                + ",\"asynchronous\":" + each.isAsync()
                + ",\"clients\":" + each.clients()
                + ",\"responsesPerSecond\":" + number(each.rate())
                + ",\"p99Millis\":" + number(each.p99())
                + ",\"threads\":" + (each.threads() < 0 ? "null" : each.threads())
                + ",\"memoryBytes\":" + (each.memory() < 0 ? "null" : each.memory())
                + ",\"cpuMicros\":" + number(each.cpu())
                + ",\"computedPerSecond\":" + number(each.computed()) + "}";
    }

    private static <T> String join(List<T> all, Function<T, String> text) {
        return all.stream().map(text).collect(Collectors.joining(","));
    }

    private static String number(double value) {
        return Double.isNaN(value) || Double.isInfinite(value) ? "null" : String.format(Locale.ROOT, "%.4f", value);
    }
}
