package io.millrace.text;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times as people write them: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 2h}, {@code 1d}; without a unit, seconds. */
public final class TimeText {

    /** What a message says that it expected. */
    public static final String FORM = "expected a time such as 500ms, 10s, 5m or 2h";

    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)?");

    private TimeText() {}

    /** Parses the text; null if it is no time, or more than a hundred years. */
    public static @Nullable Duration parse(String text) {
        Matcher time = TIME.matcher(text);
        Duration found = time.matches() ? time(time) : null;
        return found == null || found.compareTo(LONGEST) > 0 ? null : found;
    }

    private static Duration time(Matcher time) {
        long number = Long.parseLong(time.group(1));
        String unit = time.group(2);
        return switch (unit == null ? "s" : unit) {
            case "ms" -> Duration.ofMillis(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> Duration.ofSeconds(number);
        };
    }
}
