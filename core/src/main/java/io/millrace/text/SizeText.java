package io.millrace.text;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers of bytes as people write them: {@code 4096}, {@code 64k}, {@code 10m}, {@code 1g}, in powers of 1024. */
public final class SizeText {

    /** What a message says that it expected. */
    public static final String FORM = "expected a size such as 4096, 64k, 10m or 1g";

    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kKmMgG])?");
    private static final String UNITS = "KMGTPE";

    private SizeText() {}

    /** Parses the text; null if it is no size, or more than the greatest long. */
    public static @Nullable Long parse(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            return null;
        }
        long number = Long.parseLong(size.group(1));
        String unit = size.group(2);
        int shift = unit == null ? 0 : 10 * (1 + UNITS.indexOf(unit.toUpperCase(Locale.ROOT)));
        return number > Long.MAX_VALUE >> shift ? null : (Long) (number << shift);
    }

    /** For people to read: {@code 0 B}, {@code 1023 B}, {@code 1.5 KiB}, {@code 5.0 GiB}. */
    public static String of(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        double amount = bytes / 1024.0;
        int unit = 0;
        while (amount >= 1024 && unit < UNITS.length() - 1) {
            amount /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %ciB", amount, UNITS.charAt(unit));
    }
}
