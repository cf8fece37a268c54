package io.millrace.servlet.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads {@code Accept-Language} (RFC 9110, 12.5.4). */
final class AcceptLanguage {

    /** More ranges than a user needs; the rest is ignored. */
    private static final int MAX_RANGES = 32;

    /** Three times the minimum of RFC 5646, 4.4.1. Longer tags are ignored, not parsed. */
    private static final int MAX_TAG = 100;

    private AcceptLanguage() {}

    /** The locales, by descending quality; the JVM's default if there are none. Invalid ranges are ignored. */
    static List<Locale> parse(@Nullable String field) {
        List<Locale> locales = new ArrayList<>();
        if (field != null) {
            List<Range> ranges = new ArrayList<>();
            for (String part : field.split(",", MAX_RANGES + 1)) {
                if (ranges.size() < MAX_RANGES) {
                    add(part, ranges);
                }
            }
            ranges.sort((a, b) -> Double.compare(b.quality, a.quality));
            ranges.forEach(range -> locales.add(range.locale));
        }
        return locales.isEmpty() ? List.of(Locale.getDefault()) : locales;
    }

    private static void add(String part, List<Range> ranges) {
        int semicolon = part.indexOf(';');
        String tag = (semicolon < 0 ? part : part.substring(0, semicolon)).trim();
        double quality =
                semicolon < 0 ? 1 : quality(part.substring(semicolon + 1).trim());
        if (quality <= 0 || tag.length() > MAX_TAG) {
            return;
        }
        Locale locale = Locale.forLanguageTag(tag);
        if (!locale.getLanguage().isEmpty()) {
            ranges.add(new Range(locale, quality));
        }
    }

    private static double quality(String parameter) {
        try {
            return parameter.startsWith("q=") ? Double.parseDouble(parameter.substring(2)) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private record Range(Locale locale, double quality) {}
}
