package io.millrace.standalone.config.valve;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.handler.AccessLog;
import io.millrace.handler.AccessLogBuilder;
import io.millrace.handler.AccessLogFormat;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.base.Writable;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.SimpleDateFormat;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tomcat's AccessLogValve, ExtendedAccessLogValve and JsonAccessLogValve, in Engine, Host and Context. */
public final class AccessLogValve extends ValveKind {

    /** The beginning of a sentence about an access log with a defect. */
    private static final String NOT_WRITTEN = "this access log is not written: ";

    /** A code of a pattern, with its name in braces; %% is a percent sign. */
    private static final Pattern CODE = Pattern.compile("%(?:\\{[^}]*\\})?[^{]");

    private static final SettingType<Charset> ENCODING_TYPE = SettingType.parsed(
            "an encoding that this JVM knows and that contains ASCII, such as UTF-8 or ISO-8859-1",
            AccessLogValve::charset);

    private static final SettingType<Locale> LOCALE_TYPE =
            new SettingType<>("a locale, such as en_US", AccessLogValve::locale);

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<String> DIRECTORY = GROUP.add("directory", TEXT, "logs");
    private static final Setting<String> PATTERN = GROUP.optional("pattern", TEXT);
    private static final Setting<String> PREFIX = GROUP.add("prefix", TEXT, "access_log");
    private static final Setting<String> SUFFIX = GROUP.add("suffix", TEXT, "");
    private static final Setting<String> FILE_DATE_FORMAT = GROUP.add("fileDateFormat", TEXT, ".yyyy-MM-dd");
    private static final Setting<Boolean> ROTATABLE = GROUP.add("rotatable", BOOLEAN, true);
    private static final Setting<Boolean> REQUEST_ATTRIBUTES = GROUP.add("requestAttributesEnabled", BOOLEAN, false);
    private static final Setting<Boolean> BUFFERED = GROUP.add("buffered", BOOLEAN, true);
    private static final Setting<Boolean> CHECK_EXISTS = GROUP.add("checkExists", BOOLEAN, false);
    private static final Setting<String> CONDITION = GROUP.optional("condition", TEXT);
    private static final Setting<String> CONDITION_IF = GROUP.optional("conditionIf", TEXT);
    private static final Setting<String> CONDITION_UNLESS = GROUP.optional("conditionUnless", TEXT);
    private static final Setting<Boolean> ENABLED = GROUP.add("enabled", BOOLEAN, true);
    private static final Setting<Charset> ENCODING = GROUP.optional("encoding", ENCODING_TYPE);
    private static final Setting<Boolean> IPV6_CANONICAL = GROUP.add("ipv6Canonical", BOOLEAN, false);
    private static final Setting<Locale> LOCALE = GROUP.optional("locale", LOCALE_TYPE);
    private static final Setting<Integer> MAX_DAYS =
            GROUP.add("maxDays", number(Integer.MIN_VALUE, Integer.MAX_VALUE), -1);
    private static final Setting<Integer> LIMIT = GROUP.add("limit", number(0, Integer.MAX_VALUE), 0);
    private static final Setting<Integer> COUNT = GROUP.add("count", number(0, Integer.MAX_VALUE), 0);
    private static final Setting<Boolean> RENAME_ON_ROTATE = GROUP.add("renameOnRotate", BOOLEAN, false);

    private final AccessLogFormat format;

    private AccessLogValve(String name, AccessLogFormat format) {
        super(VALVES + name, Attribute.of(GROUP.settings()), TomcatAttributes.of("AccessLogValve"));
        this.format = format;
    }

    static AccessLogValve pattern() {
        return new AccessLogValve("AccessLogValve", AccessLogFormat.PATTERN);
    }

    static AccessLogValve extended() {
        return new AccessLogValve("ExtendedAccessLogValve", AccessLogFormat.EXTENDED);
    }

    static AccessLogValve json() {
        return new AccessLogValve("JsonAccessLogValve", AccessLogFormat.JSON);
    }

    @Override
    public boolean restricts() {
        return false;
    }

    @Override
    public boolean onlyObserves() {
        return true;
    }

    /** The access logs among an element's Valves that are switched on. */
    public static Stream<Element> enabled(Element container) {
        return in(container, AccessLogValve.class).stream().filter(valve -> valve.get(ENABLED));
    }

    /**
     * Creates the access log of a Valve of such a kind.
     *
     * @param base directories are relative to it
     * @throws IllegalArgumentException if its pattern or its date format is invalid
     */
    public static AccessLogBuilder builder(Element valve, Path base) {
        return ((AccessLogValve) valve.kind()).log(valve, base);
    }

    private AccessLogBuilder log(Element valve, Path base) {
        boolean rotates = valve.get(ROTATABLE);
        AccessLogBuilder log = AccessLog.builder()
                .directory(directory(valve, base))
                .prefix(valve.get(PREFIX))
                .suffix(valve.get(SUFFIX))
                .fileDateFormat(rotates ? valve.get(FILE_DATE_FORMAT) : "")
                .renameOnRotate(rotates && valve.get(RENAME_ON_ROTATE))
                .maxDays(rotates ? valve.get(MAX_DAYS) : -1)
                .limit(valve.get(LIMIT))
                .count(valve.get(COUNT))
                .checkExists(valve.get(CHECK_EXISTS))
                .relayed(valve.get(REQUEST_ATTRIBUTES))
                .ipv6Canonical(valve.get(IPV6_CANONICAL))
                .attributes(
                        valve.find(CONDITION_IF),
                        valve.isSet(CONDITION_UNLESS) ? valve.find(CONDITION_UNLESS) : valve.find(CONDITION))
                .pattern(format, known(pattern(valve), code -> {}));
        if (!valve.get(BUFFERED)) {
            log.flushInterval(Duration.ZERO);
        }
        Charset encoding = valve.find(ENCODING);
        if (encoding != null) {
            log.charset(encoding);
        }
        Locale locale = valve.find(LOCALE);
        return locale == null ? log : log.locale(locale);
    }

    /** Warns of codes that do not exist, and of what keeps the log from being written: no server needs its access log. */
    public static void check(Element valve, Path base, Problems problems) {
        AccessLogValve kind = (AccessLogValve) valve.kind();
        kind.known(kind.pattern(valve), code -> {
            try {
                AccessLog.builder().pattern(kind.format, code);
            } catch (IllegalArgumentException e) {
                problems.warning(valve.line(PATTERN), e.getMessage() + "; it is written as " + unknown(code));
            }
        });
        String defect = defect(valve, base);
        if (defect != null) {
            problems.warning(valve.line(), NOT_WRITTEN + defect);
        }
    }

    /** Returns why the access log cannot be written, as a clause; null if no reason is known. */
    public static @Nullable String defect(Element valve, Path base) {
        try {
            builder(valve, base);
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
        boolean rotates = valve.get(ROTATABLE);
        try {
            var unused = new SimpleDateFormat(rotates ? valve.get(FILE_DATE_FORMAT) : "", Locale.US);
        } catch (IllegalArgumentException e) {
            return "fileDateFormat on Valve: " + e.getMessage();
        }
        Path directory = directory(valve, base);
        Path file = directory.resolve(valve.get(PREFIX) + valve.get(SUFFIX));
        if (!rotates && Files.exists(file)) { // /dev/stdout for example, in whose directory nothing can be created
            return Files.isWritable(file) && !Files.isDirectory(file)
                    ? null
                    : file + " cannot be written to by this user";
        }
        String why = Writable.defect(directory);
        return why == null ? null : "it cannot be written to " + directory + ": " + why;
    }

    private String pattern(Element valve) {
        String pattern = valve.find(PATTERN);
        if (pattern != null) {
            return pattern;
        }
        return format == AccessLogFormat.EXTENDED ? "" : "common";
    }

    /** The pattern with each code that does not exist replaced by what Tomcat writes for it. */
    private String known(String pattern, Consumer<String> unknown) {
        if (format == AccessLogFormat.EXTENDED) {
            return pattern;
        }
        return CODE.matcher(pattern).replaceAll(match -> {
            if (exists(match.group())) {
                return Matcher.quoteReplacement(match.group());
            }
            unknown.accept(match.group());
            return Matcher.quoteReplacement(unknown(match.group()));
        });
    }

    private static boolean exists(String code) {
        try {
            AccessLog.builder().pattern(AccessLogFormat.PATTERN, code);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String unknown(String code) {
        return "???" + code.charAt(code.length() - 1) + "???";
    }

    private static Path directory(Element valve, Path base) {
        return base.resolve(valve.get(DIRECTORY));
    }

    /** Returns the locale of a name such as {@code de_CH}; null if there is none. */
    private static @Nullable Locale locale(String name) {
        return Stream.of(Locale.getAvailableLocales())
                .filter(locale -> locale.toString().equals(name.strip()))
                .findFirst()
                .orElse(null);
    }

    /** An empty name is that of the process, as in Tomcat. */
    private static Charset charset(String name) {
        Charset charset = name.isBlank() ? Charset.defaultCharset() : Charset.forName(name.strip());
        AccessLog.builder().charset(charset); // refuses one that does not contain ASCII
        return charset;
    }
}
