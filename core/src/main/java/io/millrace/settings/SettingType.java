package io.millrace.settings;

import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The type of a setting: its values, and their syntax in server.xml. Stateless.
 *
 * @param <T> the type of its values
 */
public final class SettingType<T> {

    /** Any text. */
    public static final SettingType<String> TEXT = text("any text", text -> true);

    /** {@code true} or {@code false}, ignoring case. */
    public static final SettingType<Boolean> BOOLEAN = new SettingType<>(
            "true or false",
            text -> text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false") ? Boolean.valueOf(text) : null);

    /** The same, but any other text means false, as in Tomcat, with a remark; for settings where that is harmless. */
    public static final SettingType<Boolean> FLAG = new SettingType<>("true or false", Boolean::valueOf)
            .remarking(text -> BOOLEAN.read(text) == null ? "means false, as in Tomcat; expected true or false" : null);

    /** A TCP port; 0 for any free one, or for none. */
    public static final SettingType<Integer> PORT = number(0, 65_535);

    /** A time in milliseconds. Zero means no limit, and so does -1 in server.xml. */
    public static final SettingType<Duration> MILLISECONDS = new SettingType<>(
            range(-1, Integer.MAX_VALUE),
            SettingType::duration,
            value -> !value.isNegative(),
            value -> String.valueOf(value.toMillis()),
            "0 (no limit) or more");

    /** A time of at least one millisecond. */
    public static final SettingType<Duration> POSITIVE_MILLISECONDS = MILLISECONDS.limitedTo(
            "a number of milliseconds from 1 to " + Integer.MAX_VALUE, value -> value.toMillis() > 0);

    /** A file or directory, possibly given as a URI. Relative ones are resolved by the caller. */
    public static final SettingType<Path> FILE = parsed(
                    "the name of a file", text -> text.startsWith("file:") ? Path.of(URI.create(text)) : Path.of(text))
            .limitedTo("the name of a file", file -> !file.toString().isBlank());

    /** A character encoding that is a superset of ASCII; in any other one, a path would not contain slashes. */
    public static final SettingType<Charset> CHARSET = parsed("the name of a character encoding", Charset::forName)
            .limitedTo(
                    "the name of a character encoding that contains ASCII, such as UTF-8",
                    SettingType::isSupersetOfAscii);

    /** A regular expression. */
    public static final SettingType<Pattern> PATTERN = parsed("a regular expression", Pattern::compile);

    /** Names separated by commas. */
    public static final SettingType<Set<String>> NAMES = new SettingType<>(
            "names between commas",
            SettingType::names,
            value -> true,
            value -> String.join(",", new TreeSet<>(value)),
            "");

    private final String expected;
    private final Function<String, @Nullable T> reader;
    private final Predicate<T> limits;
    private final Function<T, String> writer;
    private final String expectedOfValue;
    private final Function<String, @Nullable String> remark;

    /**
     * A type without limits.
     *
     * @param expected a description of the accepted texts, for error messages
     * @param reader parses a text; null if it is invalid
     */
    public SettingType(String expected, Function<String, @Nullable T> reader) {
        this(expected, reader, value -> true, String::valueOf, expected);
    }

    private SettingType(
            String expected,
            Function<String, @Nullable T> reader,
            Predicate<T> limits,
            Function<T, String> writer,
            String expectedOfValue) {
        this(expected, reader, limits, writer, expectedOfValue, text -> null);
    }

    private SettingType(
            String expected,
            Function<String, @Nullable T> reader,
            Predicate<T> limits,
            Function<T, String> writer,
            String expectedOfValue,
            Function<String, @Nullable String> remark) {
        this.expected = expected;
        this.reader = reader;
        this.limits = limits;
        this.writer = writer;
        this.expectedOfValue = expectedOfValue;
        this.remark = remark;
    }

    /** A type with a parser, which throws an {@link IllegalArgumentException} if a text is invalid. */
    public static <T> SettingType<T> parsed(String expected, Function<String, T> parser) {
        return new SettingType<>(expected, text -> {
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException refused) {
                return null;
            }
        });
    }

    /** A text that meets a condition, which {@code expected} describes. */
    public static SettingType<String> text(String expected, Predicate<String> condition) {
        return new SettingType<>(
                expected, text -> condition.test(text) ? text : null, condition, Function.identity(), expected);
    }

    /** A number within these limits, inclusive. */
    public static SettingType<Integer> number(int min, int max) {
        String range = range(min, max);
        return new SettingType<>(
                range,
                text -> {
                    Long number = parse(text, min, max);
                    return number == null ? null : number.intValue();
                },
                value -> value >= min && value <= max,
                String::valueOf,
                range);
    }

    /** A large number within these limits, inclusive. */
    public static SettingType<Long> largeNumber(long min, long max) {
        String range = range(min, max);
        return new SettingType<>(
                range, text -> parse(text, min, max), value -> value >= min && value <= max, String::valueOf, range);
    }

    /** A number of at least this, or -1 for no limit. */
    public static SettingType<Integer> numberOrNoLimit(int min) {
        String range = range(min, Integer.MAX_VALUE) + ", or -1 for no limit";
        return number(-1, Integer.MAX_VALUE).limitedTo(range, value -> value == -1 || value >= min);
    }

    /** A number of at least this; -1 in server.xml means no limit, and becomes the maximum integer. */
    public static SettingType<Integer> countOrNoLimit(int min) {
        return number(min, Integer.MAX_VALUE)
                .readFrom(numberOrNoLimit(min), count -> count < 0 ? Integer.MAX_VALUE : count);
    }

    /** One of these words, compared exactly. */
    public static SettingType<String> oneOf(String... words) {
        List<String> allowed = List.of(words);
        return text("one of " + String.join(", ", allowed), allowed::contains);
    }

    /** One of these words, ignoring case. */
    public static SettingType<String> word(String... words) {
        List<String> allowed = List.of(words);
        return text(
                "one of " + String.join(", ", allowed),
                text -> allowed.stream().anyMatch(text.strip()::equalsIgnoreCase));
    }

    /** An enum constant; in server.xml without underscores, for example {@code onRead}, ignoring case. */
    public static <E extends Enum<E>> SettingType<E> constant(Class<E> type) {
        Map<String, E> constants = new LinkedHashMap<>();
        List<String> words = new ArrayList<>();
        for (E constant : Objects.requireNonNull(type.getEnumConstants())) {
            String word = word(constant);
            words.add(word);
            constants.put(word.toLowerCase(Locale.ROOT), constant);
        }
        String expected = "one of " + String.join(", ", words);
        return new SettingType<>(
                expected,
                text -> constants.get(text.strip().toLowerCase(Locale.ROOT)),
                value -> true,
                SettingType::word,
                expected);
    }

    /** A description of the accepted texts, for error messages. */
    public String expected() {
        return expected;
    }

    /** The value of a text; null if it is invalid. */
    public @Nullable T read(String text) {
        return reader.apply(text);
    }

    /** Whether a text is valid. */
    public boolean accepts(String text) {
        return read(text) != null;
    }

    /** A warning for the operator about a valid text; null if there is none. */
    public @Nullable String remark(String text) {
        return remark.apply(text);
    }

    /** The text of a value in server.xml. */
    public String text(T value) {
        return writer.apply(value);
    }

    /** The same type, limited to values that meet a condition, which {@code words} describes. */
    public SettingType<T> limitedTo(String words, Predicate<T> condition) {
        return new SettingType<>(
                words,
                text -> {
                    T value = reader.apply(text);
                    return value != null && condition.test(value) ? value : null;
                },
                limits.and(condition),
                writer,
                words,
                remark);
    }

    /** The same type with another syntax in server.xml: that of {@code text}, whose values are converted. */
    public <S> SettingType<T> readFrom(SettingType<S> text, Function<S, T> conversion) {
        return new SettingType<>(
                text.expected,
                value -> {
                    S read = text.read(value);
                    return read == null ? null : conversion.apply(read);
                },
                limits,
                writer,
                expectedOfValue,
                remark);
    }

    /** The same type with warnings about some of the valid texts. */
    public SettingType<T> remarking(Function<String, @Nullable String> remarks) {
        return new SettingType<>(expected, reader, limits, writer, expectedOfValue, remarks);
    }

    /** The value, if it is within the limits. */
    T checked(String name, T value) {
        if (!limits.test(Objects.requireNonNull(value, name))) {
            throw new IllegalArgumentException(name + " is " + text(value) + "; expected " + expectedOfValue);
        }
        return value;
    }

    private static String range(long min, long max) {
        return "a number from " + min + " to " + max;
    }

    private static String word(Enum<?> constant) {
        String[] parts = constant.name().toLowerCase(Locale.ROOT).split("_", -1);
        StringBuilder word = new StringBuilder(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            word.append(Character.toUpperCase(parts[i].charAt(0))).append(parts[i], 1, parts[i].length());
        }
        return word.toString();
    }

    private static @Nullable Long parse(String text, long min, long max) {
        try {
            long number = Long.parseLong(text.strip());
            return number >= min && number <= max ? number : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static @Nullable Duration duration(String text) {
        Long millis = parse(text, -1, Integer.MAX_VALUE);
        return millis == null ? null : Duration.ofMillis(Math.max(0, millis));
    }

    private static boolean isSupersetOfAscii(Charset charset) {
        String sample = "/azAZ09%.;?&=+-_~";
        return charset.canEncode() && new String(sample.getBytes(charset), StandardCharsets.ISO_8859_1).equals(sample);
    }

    private static Set<String> names(String text) {
        List<String> names = Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
        return Set.copyOf(names);
    }
}
