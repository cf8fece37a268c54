package io.millrace.standalone.admin;

import io.millrace.handler.Json;
import io.millrace.text.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an operator asked for, in lines of aligned columns or as JSON. A cell is a text, a number, a {@link Duration} (in JSON its seconds),
 * a list of texts (only in JSON), or null.
 */
final class Table {

    private static final String GAP = "  ";

    /** A number that names something, and is written without marks of thousands. */
    record Id(long number) {

        @Override
        public String toString() {
            return String.valueOf(number);
        }
    }

    private final List<String> columns;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    Table(String... columns) {
        this.columns = List.of(columns);
    }

    void row(@Nullable Object... cells) {
        List<@Nullable Object> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell);
        }
        rows.add(row);
    }

    /** A line for the names and one for each row. Control characters are replaced. */
    String text() {
        int[] widths = new int[columns.size()];
        boolean[] right = new boolean[columns.size()];
        List<List<String>> lines = new ArrayList<>();
        lines.add(columns);
        rows.forEach(row -> lines.add(row.stream().map(Table::shown).toList()));
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            widths[i] = lines.stream()
                    .mapToInt(line -> line.get(column).length())
                    .max()
                    .orElse(0);
            right[i] = !rows.isEmpty() && rows.stream().allMatch(row -> row.get(column) instanceof Number);
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder cells = new StringBuilder();
            for (int i = 0; i < columns.size(); i++) {
                String pad = " ".repeat(widths[i] - line.get(i).length());
                cells.append(i == 0 ? "" : GAP).append(right[i] ? pad + line.get(i) : line.get(i) + pad);
            }
            text.append(cells.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** A list of objects, on a line each, with the columns' names in lower case. */
    String json() {
        return rows.stream().map(this::object).collect(Collectors.joining(",\n", "[", "]\n"));
    }

    private String object(List<@Nullable Object> row) {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < columns.size(); i++) {
            text.append(i == 0 ? "" : ",")
                    .append(Json.quote(columns.get(i).toLowerCase(Locale.ROOT)))
                    .append(':')
                    .append(value(row.get(i)));
        }
        return text.append('}').toString();
    }

    private static String value(@Nullable Object cell) {
        if (cell == null || cell instanceof Number || cell instanceof Id) {
            return String.valueOf(cell);
        }
        if (cell instanceof Duration time) {
            return String.format(Locale.ROOT, "%.4f", time.toNanos() / 1e9);
        }
        if (cell instanceof List<?> several) {
            return several.stream()
                    .map(each -> Json.quote(String.valueOf(each)))
                    .collect(Collectors.joining(",", "[", "]"));
        }
        return Json.quote(cell.toString());
    }

    static String shown(@Nullable Object cell) {
        if (cell == null) {
            return "-";
        }
        if (cell instanceof Number number) {
            return String.format(Locale.ROOT, "%,d", number.longValue());
        }
        if (cell instanceof Duration time) {
            return shown(time);
        }
        if (cell instanceof List<?> several) {
            return String.valueOf(several.size());
        }
        String text = Printable.of(cell.toString());
        return text.isEmpty() ? "-" : text;
    }

    /** In its two largest units. */
    static String shown(Duration time) {
        long millis = time.toMillis();
        if (millis < 10) {
            return String.format(Locale.ROOT, "%.1fms", time.toNanos() / 1e6);
        }
        if (millis < 1000) {
            return millis + "ms";
        }
        if (millis < 60_000) {
            return String.format(Locale.ROOT, "%.1fs", millis / 1e3);
        }
        long seconds = time.toSeconds();
        if (seconds < 3600) {
            return seconds / 60 + "m " + seconds % 60 + "s";
        }
        return seconds < 86_400
                ? seconds / 3600 + "h " + seconds % 3600 / 60 + "m"
                : seconds / 86_400 + "d " + seconds % 86_400 / 3600 + "h";
    }
}
