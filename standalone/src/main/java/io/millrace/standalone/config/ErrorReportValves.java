package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.settings.SettingType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's ErrorReportValve and JsonErrorReportValve, in Engine, Host and Context. Attributes with a status or a class in
 * their names specify a file to send instead of a report.
 */
public final class ErrorReportValves {

    private static final String REPORT = "org.apache.catalina.valves.ErrorReportValve";
    private static final String JSON = "org.apache.catalina.valves.JsonErrorReportValve";

    private static final String BY_STATUS = "errorCode.";
    private static final String BY_EXCEPTION = "exceptionType.";

    /** 0 is for all statuses that have no file. */
    private static final Pattern STATUS = Pattern.compile("0|[1-5]\\d\\d");

    private static final Pattern CLASS = Pattern.compile("\\w+(\\.\\w+)*");

    private static final SettingType<?> FILE = SettingType.text("the name of a file", value -> !value.isBlank());

    private ErrorReportValves() {}

    /** Null if it is another Valve. */
    static @Nullable ElementRule of(ConfigElement element) {
        String type = element.name().equals("Valve") ? element.value("className") : null;
        if (!REPORT.equals(type) && !JSON.equals(type)) {
            return null;
        }
        List<AttributeRule> rules = new ArrayList<>(List.of(
                works("className", TEXT, null),
                works("showReport", BOOLEAN, "true"),
                works("showServerInfo", BOOLEAN, "true"),
                moot("asyncSupported")));
        for (XmlAttribute attribute : element.attributes()) {
            if (isFile(attribute.name())) {
                rules.add(works(attribute.name(), FILE, null));
            }
        }
        return ElementRule.of("Valve", rules);
    }

    private static boolean isFile(String name) {
        return name.startsWith(BY_STATUS)
                        && STATUS.matcher(name.substring(BY_STATUS.length())).matches()
                || name.startsWith(BY_EXCEPTION)
                        && CLASS.matcher(name.substring(BY_EXCEPTION.length())).matches();
    }

    public static boolean isOne(Values valve) {
        return valve.has("showReport");
    }

    /** True if reports are always JSON, regardless of the Accept field. */
    public static boolean isJson(Values valve) {
        return JSON.equals(valve.text("className"));
    }

    /** The files by status; 0 is for all others. */
    public static Map<Integer, String> byStatus(Values valve) {
        Map<Integer, String> files = new LinkedHashMap<>();
        files(valve, BY_STATUS).forEach((status, file) -> files.put(Integer.valueOf(status), file));
        return files;
    }

    /** The files by the class of the exception that an application threw. */
    public static Map<String, String> byException(Values valve) {
        return files(valve, BY_EXCEPTION);
    }

    private static Map<String, String> files(Values valve, String prefix) {
        Map<String, String> files = new LinkedHashMap<>();
        for (String name : valve.names()) {
            if (name.startsWith(prefix)) {
                files.put(name.substring(prefix.length()), valve.text(name, ""));
            }
        }
        return files;
    }

    /** Warns of reports with stack traces, unless the attribute is set explicitly. */
    static void check(Values valve, Problems problems) {
        if (valve.flag("showReport") && !valve.isSet("showReport")) {
            problems.warning(
                    valve.line(),
                    "the Valve shows messages and stack traces of errors to clients, as in Tomcat; set showReport=\"false\""
                            + " unless this is a server for development");
        }
    }
}
