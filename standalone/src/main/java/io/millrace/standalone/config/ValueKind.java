package io.millrace.standalone.config;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What values an attribute takes.
 *
 * @param expected in words, for the one who wrote something else
 */
record ValueKind(String expected, Predicate<String> accepts) {

    private static final String RELAXABLE = "\"<>[\\]^`{|}";

    static final ValueKind TEXT = new ValueKind("any text", value -> true);

    static final ValueKind BOOLEAN =
            new ValueKind("true or false", value -> value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false"));

    static final ValueKind PORT = number(0, 65535);

    /** One that opens nothing where it is false, which anything else than true means in Tomcat. */
    static final ValueKind FLAG = new ValueKind("true or false", value -> true);

    /** Only what a URI may not contain can be relaxed; anything else in it is of no account. */
    static final ValueKind RELAXED_CHARS = new ValueKind("some of \" < > [ \\ ] ^ ` { | }", value -> true);

    /** Of a file, as ls shows them. */
    static final ValueKind PERMISSIONS =
            new ValueKind("nine letters such as rw-rw----", value -> value.matches("([r-][w-][x-]){3}"));

    static final ValueKind CHARSET =
            new ValueKind("the name of a character encoding that contains ASCII, such as UTF-8", ValueKind::isCharset);

    static final ValueKind PATTERN = new ValueKind("a regular expression", ValueKind::isPattern);

    static boolean areRelaxable(String chars) {
        return chars.chars().allMatch(c -> RELAXABLE.indexOf(c) >= 0);
    }

    static ValueKind number(long least, long most) {
        String range = most == Long.MAX_VALUE || most == Integer.MAX_VALUE
                ? "a number from " + least + " up"
                : "a number from " + least + " to " + most;
        return new ValueKind(range, value -> isNumber(value, least, most));
    }

    static ValueKind oneOf(String... words) {
        List<String> allowed = List.of(words);
        return new ValueKind("one of " + String.join(", ", allowed), allowed::contains);
    }

    /** One of these, upper and lower case alike. */
    static ValueKind word(String... words) {
        List<String> allowed = List.of(words);
        return new ValueKind(
                "one of " + String.join(", ", allowed),
                value -> allowed.stream().anyMatch(value.strip()::equalsIgnoreCase));
    }

    private static boolean isPattern(String value) {
        try {
            Pattern.compile(value);
            return true;
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    private static boolean isNumber(String value, long least, long most) {
        try {
            long number = Long.parseLong(value.strip());
            return number >= least && number <= most;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** In any other the slashes of a path would not be slashes. */
    private static boolean isSupersetOfAscii(Charset charset) {
        String sample = "/aZ09%.;?&=+-_~";
        return charset.canEncode() && new String(sample.getBytes(charset), StandardCharsets.US_ASCII).equals(sample);
    }

    private static boolean isCharset(String name) {
        try {
            return Charset.isSupported(name) && isSupersetOfAscii(Charset.forName(name));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
