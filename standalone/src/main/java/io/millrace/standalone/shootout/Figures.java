package io.millrace.standalone.shootout;

import java.util.Locale;

/** Figures for people: three digits that count, with the unit that keeps them short. */
final class Figures {

    static final String UNKNOWN = "–";

    private Figures() {}

    /** {@code 128,300}, {@code 47.2}, {@code 0.31}. */
    static String number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return UNKNOWN;
        }
        double size = Math.abs(value);
        if (size >= 99.95) {
            double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(size)) - 3));
            return String.format(Locale.ROOT, "%,.0f", Math.round(value / unit) * unit);
        }
        return String.format(Locale.ROOT, size >= 9.995 ? "%.1f" : "%.2f", value);
    }

    /** {@code 12 %}. */
    static String percent(double part) {
        return Double.isNaN(part) ? UNKNOWN : Math.round(part * 100) + " %";
    }

    /** {@code 1,204 MB}: of bytes. */
    static String megabytes(long bytes) {
        return bytes < 0 ? UNKNOWN : number(bytes / 1e6);
    }
}
