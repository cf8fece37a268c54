package io.millrace.standalone;

import io.millrace.handler.ErrorReport;
import io.millrace.standalone.config.ErrorReportValves;
import io.millrace.standalone.config.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates error reports from Tomcat's Valves. Their files are read in advance: errors are reported on threads that must not block. */
final class ErrorReports {

    /** In bytes: pages are kept in memory. */
    private static final int MAX_FILE = 1024 * 1024;

    private final Path base;
    private final Consumer<String> warnings;

    /**
     * For one container.
     *
     * @param base the directory to which file names are relative
     * @param warnings receives warnings about unreadable files, for which the report is sent instead, as in Tomcat
     */
    ErrorReports(Path base, Consumer<String> warnings) {
        this.base = base;
        this.warnings = warnings;
    }

    ErrorReport of(Values valve) {
        ErrorReport report = ErrorReportValves.isJson(valve) ? ErrorReport.json() : ErrorReport.negotiated();
        report = valve.flag("showReport") ? report.withDetails() : report;
        report = valve.flag("showServerInfo") ? report.withServer("Millrace") : report;
        for (Map.Entry<Integer, String> file : ErrorReportValves.byStatus(valve).entrySet()) {
            byte[] page = read(file.getValue());
            report = page == null ? report : report.withPage(file.getKey(), page);
        }
        for (Map.Entry<String, String> file :
                ErrorReportValves.byException(valve).entrySet()) {
            byte[] page = read(file.getValue());
            report = page == null ? report : report.withPage(file.getKey(), page);
        }
        return report;
    }

    private byte @Nullable [] read(String name) {
        Path file = base.resolve(name);
        try {
            if (Files.size(file) <= MAX_FILE) {
                return Files.readAllBytes(file);
            }
            warn(file, "it has more than " + MAX_FILE + " bytes");
        } catch (NoSuchFileException e) {
            warn(file, "there is no such file");
        } catch (IOException e) {
            warn(file, e.toString());
        }
        return null;
    }

    private void warn(Path file, String reason) {
        warnings.accept(
                "the error page " + file + " cannot be read: " + reason + "; the default report is sent instead");
    }
}
