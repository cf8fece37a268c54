package io.millrace.standalone.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns Prometheus' text format into JSON: a list of samples with {@code name}, {@code labels} and {@code value}. */
final class MetricsJson {

    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=(\"(?:[^\"\\\\]|\\\\.)*\")");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?(?:E-?[0-9]+)?");

    private MetricsJson() {}

    /** Comments are left out. What JSON has no number for, such as {@code +Inf}, is a string. */
    static String of(String text) {
        List<String> samples = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                String value = sample.group(3);
                samples.add("{\"name\":\"" + sample.group(1) + "\",\"labels\":{" + labels(sample.group(2))
                        + "},\"value\":" + (NUMBER.matcher(value).matches() ? value : "\"" + value + "\"") + "}");
            }
        }
        return "[" + String.join(",\n", samples) + "]\n";
    }

    /** Their values are quoted as those of JSON, of which the format needs a part. */
    private static String labels(@Nullable String text) {
        List<String> labels = new ArrayList<>();
        Matcher label = LABEL.matcher(text == null ? "" : text);
        while (label.find()) {
            labels.add("\"" + label.group(1) + "\":" + label.group(2));
        }
        return String.join(",", labels);
    }
}
