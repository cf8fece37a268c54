package io.millrace.testkit;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Prometheus' text format 0.0.4, and accepts nothing that it does not allow, nor what {@code promtool check metrics} warns of: each
 * metric has its HELP and TYPE before its samples, which follow one another; no two samples are the same; counters, and only they, end
 * with {@code _total}; the buckets of a histogram grow and end with {@code +Inf}, which is its count.
 */
public final class PrometheusFormat {

    private static final Pattern SAMPLE = Pattern.compile(
            "([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (NaN|[+-]Inf|-?[0-9]+(?:\\.[0-9]+)?(?:E-?[0-9]+)?)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(?:,(?=[a-z])|$)");
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary");

    private final Map<String, String> types = new LinkedHashMap<>();
    private final Map<String, String> helps = new HashMap<>();
    private final Map<String, Double> samples = new LinkedHashMap<>();

    private PrometheusFormat() {}

    /**
     * Reads a text.
     *
     * @throws AssertionError with the line that is wrong
     */
    public static PrometheusFormat read(String text) {
        PrometheusFormat read = new PrometheusFormat();
        require(text.endsWith("\n"), "the last line has no end");
        String current = "";
        Set<String> ended = new HashSet<>();
        for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
            if (line.startsWith("# HELP ")) {
                String[] parts = line.split(" ", 4);
                require(parts.length == 4 && !parts[3].isBlank(), line);
                require(ended.add(parts[2]), "a second time: " + line);
                current = parts[2];
                read.helps.put(current, parts[3]);
            } else if (line.startsWith("# TYPE ")) {
                String[] parts = line.split(" ", -1);
                require(parts.length == 4 && parts[2].equals(current) && TYPES.contains(parts[3]), line);
                require(parts[3].equals("counter") == current.endsWith("_total"), line);
                require(read.types.put(current, parts[3]) == null, line);
            } else {
                read.sample(line, current);
            }
        }
        read.types.forEach((name, type) -> {
            if (type.equals("histogram")) {
                read.checkHistogram(name);
            }
        });
        return read;
    }

    private void sample(String line, String current) {
        Matcher sample = SAMPLE.matcher(line);
        require(sample.matches(), line);
        String type = types.getOrDefault(current, "");
        String suffix = sample.group(1).startsWith(current) ? sample.group(1).substring(current.length()) : "?";
        Set<String> allowed = switch (type) {
            case "histogram" -> Set.of("_bucket", "_sum", "_count");
            case "summary" -> Set.of("_sum", "_count");
            case "counter", "gauge" -> Set.of("");
            default -> Set.of();
        };
        require(allowed.contains(suffix), "not of " + current + ": " + line);
        StringBuilder key = new StringBuilder(sample.group(1));
        labels(sample.group(2), line)
                .forEach((name, value) ->
                        key.append(' ').append(name).append('=').append(value));
        String value = sample.group(3).replace("Inf", "Infinity");
        require(samples.put(key.toString(), Double.valueOf(value)) == null, "a second time: " + line);
    }

    private static Map<String, String> labels(String text, String line) {
        Map<String, String> labels = new TreeMap<>();
        if (text != null) {
            Matcher label = LABEL.matcher(text);
            int at = 0;
            while (at < text.length()) {
                require(label.find(at) && label.start() == at, line);
                require(labels.put(label.group(1), label.group(2)) == null, line);
                at = label.end();
            }
        }
        return labels;
    }

    private void checkHistogram(String name) {
        Map<String, Double> last = new HashMap<>();
        samples.forEach((key, value) -> {
            if (key.startsWith(name + "_bucket ")) {
                require(key.contains(" le="), key);
                String series = key.replaceAll(" le=\\S+", "").replace(name + "_bucket", name + "_count");
                require(value >= last.getOrDefault(series, 0.0), "falls: " + key);
                last.put(series, value);
                if (key.contains(" le=+Inf")) {
                    require(value.equals(samples.get(series)), "is not the count: " + key);
                }
            }
        });
        require(!last.isEmpty(), name + " has no buckets");
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("not in the format: " + what);
        }
    }

    /** The metrics with their types. */
    public Map<String, String> types() {
        return Map.copyOf(types);
    }

    /** What the metrics say of themselves. */
    public Map<String, String> helps() {
        return Map.copyOf(helps);
    }

    /** The samples: their names, then the labels in alphabetical order, each as {@code " name=value"}. */
    public Map<String, Double> samples() {
        return samples;
    }

    /**
     * The value of a sample.
     *
     * @param labels in alphabetical order, such as {@code code=2xx}
     * @throws AssertionError if there is none
     */
    public double value(String name, String... labels) {
        String key = labels.length == 0 ? name : name + " " + String.join(" ", labels);
        Double value = samples.get(key);
        if (value == null) {
            throw new AssertionError("no " + key + " in " + samples.keySet());
        }
        return value;
    }
}
