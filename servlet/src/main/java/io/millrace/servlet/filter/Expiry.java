package io.millrace.servlet.filter;

import java.time.Instant;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Locale;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/**
 * The expiry of a response, in the syntax of mod_expires: {@code access plus 1 month 15 days}, {@code modification plus 2 hours},
 * {@code A3600}.
 *
 * @param fromModification true to count from Last-Modified, false from now
 */
record Expiry(boolean fromModification, Period days, long seconds) {

    private static final String EXPECTED =
            "A or M and a number of seconds, or access, now or modification, optionally plus, and pairs like 15 days";

    static Expiry parse(String parameter, String text) throws ServletException {
        String stripped = text.strip().toLowerCase(Locale.ROOT);
        try {
            if (stripped.matches("[am]-?\\d+")) {
                return new Expiry(stripped.startsWith("m"), Period.ZERO, Long.parseLong(stripped.substring(1)));
            }
            return parse(stripped.split("\\s+", -1));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw FilterParameters.refused(parameter, text, EXPECTED);
        }
    }

    private static Expiry parse(String[] words) {
        int at = words.length > 1 && words[1].equals("plus") ? 2 : 1;
        if ((words.length - at) % 2 != 0) {
            throw new IllegalArgumentException();
        }
        boolean modification = switch (words[0]) {
            case "access", "now" -> false;
            case "modification" -> true;
            default -> throw new IllegalArgumentException();
        };
        Expiry sum = new Expiry(modification, Period.ZERO, 0);
        for (; at < words.length; at += 2) {
            sum = sum.plus(Integer.parseInt(words[at]), words[at + 1]);
        }
        return sum;
    }

    private Expiry plus(int count, String unit) {
        return switch (unit) {
            case "year", "years" -> new Expiry(fromModification, days.plusYears(count), seconds);
            case "month", "months" -> new Expiry(fromModification, days.plusMonths(count), seconds);
            case "week", "weeks" -> new Expiry(fromModification, days.plusDays(7L * count), seconds);
            case "day", "days" -> new Expiry(fromModification, days.plusDays(count), seconds);
            case "hour", "hours" -> new Expiry(fromModification, days, seconds + 3600L * count);
            case "minute", "minutes" -> new Expiry(fromModification, days, seconds + 60L * count);
            case "second", "seconds" -> new Expiry(fromModification, days, seconds + count);
            default -> throw new IllegalArgumentException();
        };
    }

    /** The time of expiry; null if it depends on an unknown Last-Modified. */
    @Nullable
    Instant end(Instant now, @Nullable Instant modified) {
        Instant start = fromModification ? modified : now;
        return start == null
                ? null
                : ZonedDateTime.ofInstant(start, ZoneOffset.UTC)
                        .plus(days)
                        .plusSeconds(seconds)
                        .toInstant();
    }
}
