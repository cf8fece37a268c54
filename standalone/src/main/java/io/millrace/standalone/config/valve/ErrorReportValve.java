package io.millrace.standalone.config.valve;

import static io.millrace.settings.SettingType.BOOLEAN;

import io.millrace.exchange.HttpHandler;
import io.millrace.handler.ErrorReport;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's ErrorReportValve and JsonErrorReportValve. Attributes with a status or a class in their names specify a file to send
 * instead of a report. The files are read in advance: errors are reported on threads that must not block.
 */
public final class ErrorReportValve extends HandlerValve {

    private static final String BY_STATUS = "errorCode.";
    private static final String BY_EXCEPTION = "exceptionType.";

    /** 0 is for all statuses that have no file. */
    private static final Pattern STATUS = Pattern.compile("0|[1-5]\\d\\d");

    private static final Pattern CLASS = Pattern.compile("\\w+(\\.\\w+)*");
    private static final SettingType<String> FILE = SettingType.text("the name of a file", value -> !value.isBlank());

    /** In bytes: pages are kept in memory. */
    private static final int MAX_FILE = 1024 * 1024;

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<Boolean> SHOW_REPORT = GROUP.add("showReport", BOOLEAN, true);
    private static final Setting<Boolean> SHOW_SERVER_INFO = GROUP.add("showServerInfo", BOOLEAN, true);

    /** Whether reports are always JSON, regardless of the Accept field. */
    private final boolean isJson;

    private ErrorReportValve(String name, boolean isJson) {
        super(VALVES + name, Attribute.of(GROUP.settings()));
        this.isJson = isJson;
    }

    static ErrorReportValve negotiated() {
        return new ErrorReportValve("ErrorReportValve", false);
    }

    static ErrorReportValve json() {
        return new ErrorReportValve("JsonErrorReportValve", true);
    }

    @Override
    public @Nullable Attribute<?> attribute(String name) {
        return isFile(name) ? Attribute.sets(name, FILE, null, null) : super.attribute(name);
    }

    private static boolean isFile(String name) {
        return name.startsWith(BY_STATUS)
                        && STATUS.matcher(name.substring(BY_STATUS.length())).matches()
                || name.startsWith(BY_EXCEPTION)
                        && CLASS.matcher(name.substring(BY_EXCEPTION.length())).matches();
    }

    /** Warns of reports with stack traces, unless the attribute is set explicitly. */
    @Override
    public void check(Element valve, String parent, Problems problems) {
        if (valve.get(SHOW_REPORT) && !valve.isSet(SHOW_REPORT)) {
            problems.warning(
                    valve.line(),
                    "the Valve shows messages and stack traces of errors to clients, as in Tomcat; set showReport=\"false\""
                            + " unless this is a server for development");
        }
    }

    @Override
    public UnaryOperator<HttpHandler> handler(Element valve, Path base, Consumer<String> warnings) {
        return report(valve, base, warnings)::wrap;
    }

    /** @param warnings receives warnings about unreadable files, for which the report is sent instead, as in Tomcat */
    private ErrorReport report(Element valve, Path base, Consumer<String> warnings) {
        ErrorReport report = isJson ? ErrorReport.json() : ErrorReport.negotiated();
        report = valve.get(SHOW_REPORT) ? report.withDetails() : report;
        report = valve.get(SHOW_SERVER_INFO) ? report.withServer("Millrace") : report;
        for (XmlElement.Attribute attribute : valve.written()) {
            String name = attribute.name();
            byte[] page = isFile(name) ? read(base.resolve(attribute.value()), warnings) : null;
            if (page != null) {
                report = name.startsWith(BY_STATUS)
                        ? report.withPage(Integer.parseInt(name.substring(BY_STATUS.length())), page)
                        : report.withPage(name.substring(BY_EXCEPTION.length()), page);
            }
        }
        return report;
    }

    private static byte @Nullable [] read(Path file, Consumer<String> warnings) {
        String reason;
        try {
            if (Files.size(file) <= MAX_FILE) {
                return Files.readAllBytes(file);
            }
            reason = "it has more than " + MAX_FILE + " bytes";
        } catch (NoSuchFileException e) {
            reason = "there is no such file";
        } catch (IOException e) {
            reason = e.toString();
        }
        warnings.accept(
                "the error page " + file + " cannot be read: " + reason + "; the default report is sent instead");
        return null;
    }
}
