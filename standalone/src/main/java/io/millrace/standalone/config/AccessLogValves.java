package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.handler.AccessLog;
import io.millrace.handler.AccessLogBuilder;
import io.millrace.handler.AccessLogFormat;
import io.millrace.settings.SettingType;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.SimpleDateFormat;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tomcat's AccessLogValve, ExtendedAccessLogValve and JsonAccessLogValve, in Engine, Host and Context. */
public final class AccessLogValves {

    private static final Map<String, AccessLogFormat> FORMATS = Map.of(
            "org.apache.catalina.valves.AccessLogValve", AccessLogFormat.PATTERN,
            "org.apache.catalina.valves.JsonAccessLogValve", AccessLogFormat.JSON,
            "org.apache.catalina.valves.ExtendedAccessLogValve", AccessLogFormat.EXTENDED);

    /** The beginning of a sentence about an access log with a defect. */
    public static final String NOT_WRITTEN = "this access log is not written: ";

    /** A code of a pattern, with its name in braces; %% is a percent sign. */
    private static final Pattern CODE = Pattern.compile("%(?:\\{[^}]*\\})?[^{]");

    private static final SettingType<?> ENCODING = SettingType.text(
            "an encoding that this JVM knows and that contains ASCII, such as UTF-8 or ISO-8859-1",
            AccessLogValves::isEncoding);

    private static final SettingType<?> LOCALE =
            SettingType.text("a locale, such as en_US", value -> locale(value) != null);

    static final ElementRule RULE = ElementRule.of(
            "Valve",
            List.of(
                    works("className", TEXT, null),
                    works("directory", TEXT, "logs"),
                    works("pattern", TEXT, null),
                    works("prefix", TEXT, "access_log"),
                    works("suffix", TEXT, ""),
                    works("fileDateFormat", TEXT, ".yyyy-MM-dd"),
                    works("rotatable", BOOLEAN, "true"),
                    works("requestAttributesEnabled", BOOLEAN, "false"),
                    works("buffered", BOOLEAN, "true"),
                    works("checkExists", BOOLEAN, "false"),
                    works("condition", TEXT, null),
                    works("conditionIf", TEXT, null),
                    works("conditionUnless", TEXT, null),
                    works("enabled", BOOLEAN, "true"),
                    works("encoding", ENCODING, null),
                    works("ipv6Canonical", BOOLEAN, "false"),
                    works("locale", LOCALE, null),
                    works("maxDays", number(Integer.MIN_VALUE, Integer.MAX_VALUE), "-1"),
                    works("renameOnRotate", BOOLEAN, "false"),
                    none(
                            "resolveHosts",
                            BOOLEAN,
                            "false",
                            "Tomcat 9 ignores it too. %h is the address: host names are not resolved for the log"),
                    moot("maxLogMessageBufferSize"),
                    moot("asyncSupported")));

    private AccessLogValves() {}

    static boolean isOne(ConfigElement element) {
        return element.name().equals("Valve") && FORMATS.containsKey(String.valueOf(element.value("className")));
    }

    static boolean isOne(Values valve) {
        return FORMATS.containsKey(valve.text("className", ""));
    }

    /**
     * Creates the access log of a Valve.
     *
     * @param base directories are relative to it
     * @throws IllegalArgumentException if its pattern or its date format is invalid
     */
    public static AccessLogBuilder builder(Values valve, Path base) {
        boolean rotates = valve.flag("rotatable");
        AccessLogFormat format = format(valve);
        AccessLogBuilder log = AccessLog.builder()
                .directory(directory(valve, base))
                .prefix(valve.text("prefix", "access_log"))
                .suffix(valve.text("suffix", ""))
                .fileDateFormat(rotates ? valve.text("fileDateFormat", "") : "")
                .renameOnRotate(rotates && valve.flag("renameOnRotate"))
                .maxDays(rotates ? valve.number("maxDays") : -1)
                .checkExists(valve.flag("checkExists"))
                .relayed(valve.flag("requestAttributesEnabled"))
                .ipv6Canonical(valve.flag("ipv6Canonical"))
                .attributes(
                        valve.text("conditionIf"),
                        valve.isSet("conditionUnless") ? valve.text("conditionUnless") : valve.text("condition"))
                .pattern(format, known(format, pattern(valve, format), code -> {}));
        if (!valve.flag("buffered")) {
            log.flushInterval(Duration.ZERO);
        }
        String encoding = valve.text("encoding");
        if (encoding != null) {
            log.charset(charset(encoding));
        }
        String language = valve.text("locale");
        Locale locale = language == null ? null : locale(language);
        return locale == null ? log : log.locale(locale);
    }

    /** Warns of codes that do not exist, and of what keeps the log from being written: no server needs its access log. */
    public static void check(Values valve, Path base, Problems problems) {
        AccessLogFormat format = format(valve);
        known(format, pattern(valve, format), code -> {
            try {
                AccessLog.builder().pattern(format, code);
            } catch (IllegalArgumentException e) {
                problems.warning(valve.line("pattern"), e.getMessage() + "; it is written as " + unknown(code));
            }
        });
        String defect = defect(valve, base);
        if (defect != null) {
            problems.warning(valve.line(), NOT_WRITTEN + defect);
        }
    }

    /** Returns why the access log cannot be written, as a clause; null if no reason is known. */
    public static @Nullable String defect(Values valve, Path base) {
        try {
            builder(valve, base);
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
        boolean rotates = valve.flag("rotatable");
        try {
            var unused = new SimpleDateFormat(rotates ? valve.text("fileDateFormat", "") : "", Locale.US);
        } catch (IllegalArgumentException e) {
            return "fileDateFormat on Valve: " + e.getMessage();
        }
        Path directory = directory(valve, base);
        Path file = directory.resolve(valve.text("prefix", "access_log") + valve.text("suffix", ""));
        if (!rotates && Files.exists(file)) { // /dev/stdout for example, in whose directory nothing can be created
            return Files.isWritable(file) && !Files.isDirectory(file)
                    ? null
                    : file + " cannot be written to by this user";
        }
        String why = Writable.defect(directory);
        return why == null ? null : "it cannot be written to " + directory + ": " + why;
    }

    private static String pattern(Values valve, AccessLogFormat format) {
        return valve.text("pattern", format == AccessLogFormat.EXTENDED ? "" : "common");
    }

    /** The pattern with each code that does not exist replaced by what Tomcat writes for it. */
    private static String known(AccessLogFormat format, String pattern, Consumer<String> unknown) {
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

    /** The directory of its files. */
    public static Path directory(Values valve, Path base) {
        return base.resolve(valve.text("directory", "logs"));
    }

    private static AccessLogFormat format(Values valve) {
        return FORMATS.getOrDefault(valve.text("className", ""), AccessLogFormat.PATTERN);
    }

    /** Returns the locale of a name such as {@code de_CH}; null if there is none. */
    private static @Nullable Locale locale(String name) {
        return Stream.of(Locale.getAvailableLocales())
                .filter(locale -> locale.toString().equals(name.strip()))
                .findFirst()
                .orElse(null);
    }

    private static boolean isEncoding(String name) {
        try {
            AccessLog.builder().charset(charset(name));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** An empty name is that of the process, as in Tomcat. */
    private static Charset charset(String name) throws IllegalCharsetNameException, UnsupportedCharsetException {
        return name.isBlank() ? Charset.defaultCharset() : Charset.forName(name.strip());
    }
}
