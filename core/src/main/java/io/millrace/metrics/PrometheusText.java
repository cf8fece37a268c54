package io.millrace.metrics;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * The metrics as Prometheus reads them: its text format 0.0.4. Made with little garbage: with a hundred applications, the text has
 * half a megabyte. Thread-safe.
 */
public final class PrometheusText {

    /** The media type of the text. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** Of the two buckets of an octave one is written; of a coarse histogram, one of three octaves. */
    private static final int STEP = 2;

    private static final int COARSE_STEP = 6;

    /** The ends of the buckets that are written, in seconds. */
    private static final String[] ENDS = new String[(DurationCounts.BUCKETS - 1 + STEP - 1) / STEP];

    static {
        double end = 0.0001;
        for (int i = 0; i < ENDS.length; i++) {
            ENDS[i] = new java.math.BigDecimal(end)
                    .setScale(4, java.math.RoundingMode.HALF_EVEN)
                    .stripTrailingZeros()
                    .toPlainString();
            end *= 2;
        }
    }

    private final Metrics metrics;
    private volatile int size = 8 * 1024;

    public PrometheusText(Metrics metrics) {
        this.metrics = metrics;
    }

    /** The current values. */
    public ByteBuffer read() {
        if (metrics.isReadFirst()) { // and not before: it would make the start of a server slower
            ProcessMetrics.addTo(metrics);
        }
        Output out = new Output(size + size / 16);
        for (Metrics.Family family : metrics.current()) {
            write(out, family);
        }
        size = Math.max(1024, out.length);
        return ByteBuffer.wrap(out.bytes, 0, out.length);
    }

    private static void write(Output out, Metrics.Family family) {
        MetricFamily of = family.of();
        boolean begun = false;
        for (Map.Entry<String, Metrics.Series> each : family.byLabels().entrySet()) {
            Metrics.Series series = each.getValue();
            if (series.isOccasional() && series.isZero()) {
                continue;
            }
            if (!begun) {
                begun = true;
                out.text("# HELP ")
                        .text(of.name())
                        .text(" ")
                        .text(escaped(of.help()))
                        .text("\n# TYPE ");
                out.text(of.name()).text(" ").text(of.type().word()).text("\n");
            }
            String labels = each.getKey();
            switch (of.type()) {
                case COUNTER, GAUGE ->
                    line(out, of.name(), "", labels).number(series.value()).text("\n");
                case HISTOGRAM -> histogram(out, of.name(), labels, series.durations(), STEP);
                case COARSE_HISTOGRAM -> histogram(out, of.name(), labels, series.durations(), COARSE_STEP);
                case SUMMARY -> {
                    line(out, of.name(), "_count", labels)
                            .number(series.count())
                            .text("\n");
                    line(out, of.name(), "_sum", labels).number(series.value()).text("\n");
                }
            }
        }
    }

    private static Output line(Output out, String name, String suffix, String labels) {
        out.text(name).text(suffix);
        return labels.isEmpty() ? out.text(" ") : out.text("{").text(labels).text("} ");
    }

    private static void histogram(Output out, String name, String labels, DurationCounts counts, int step) {
        long sum = 0;
        int bucket = 0;
        for (int last = 0; last < DurationCounts.BUCKETS - 1; last += step) {
            while (bucket <= last) {
                sum += counts.inBucket(bucket++);
            }
            bucket(out, name, labels, ENDS[last / STEP]).number(sum).text("\n");
        }
        while (bucket < DurationCounts.BUCKETS) {
            sum += counts.inBucket(bucket++);
        }
        bucket(out, name, labels, "+Inf").number(sum).text("\n");
        line(out, name, "_sum", labels).number(counts.nanos() / 1e9).text("\n");
        line(out, name, "_count", labels).number(sum).text("\n");
    }

    private static Output bucket(Output out, String name, String labels, String end) {
        out.text(name).text("_bucket{").text(labels);
        return out.text(labels.isEmpty() ? "le=\"" : ",le=\"").text(end).text("\"} ");
    }

    private static String escaped(String help) {
        byte[] bytes = help.replace("\\", "\\\\").replace("\n", "\\n").getBytes(StandardCharsets.UTF_8);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Bytes that are appended. Texts have one byte for each character. */
    private static final class Output {

        private byte[] bytes;
        private int length;

        Output(int capacity) {
            bytes = new byte[capacity];
        }

        Output text(String text) {
            int more = text.length();
            reserve(more);
            latin1(text, more);
            length += more;
            return this;
        }

        /** Copies the low byte of each character, which here is all of it, without an array in between. */
        @SuppressWarnings("deprecation")
        private void latin1(String text, int more) {
            text.getBytes(0, more, bytes, length);
        }

        Output number(double value) {
            long whole = (long) value;
            if (whole == value) {
                return number(whole);
            }
            if (Double.isInfinite(value)) {
                return text(value > 0 ? "+Inf" : "-Inf");
            }
            return text(Double.isNaN(value) ? "NaN" : shown(value));
        }

        private static String shown(double value) {
            return Double.toString(value);
        }

        Output number(long value) {
            if (value < 0) {
                return text(Long.toString(value));
            }
            int digits = 1;
            for (long rest = value; rest >= 10; rest /= 10) {
                digits++;
            }
            reserve(digits);
            long rest = value;
            for (int i = length + digits - 1; i >= length; i--) {
                bytes[i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
            length += digits;
            return this;
        }

        private void reserve(int more) {
            if (bytes.length - length < more) {
                bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length + bytes.length / 2));
            }
        }
    }
}
