package io.millrace.standalone;

import io.millrace.Connector;
import io.millrace.exchange.HttpHandler;
import io.millrace.forwarded.CertificateFields;
import io.millrace.forwarded.ForwardedField;
import io.millrace.forwarded.Relay;
import io.millrace.forwarded.RemoteIp;
import io.millrace.handler.AddressFilter;
import io.millrace.handler.ConcurrencyLimit;
import io.millrace.handler.ErrorReport;
import io.millrace.handler.StuckThreads;
import io.millrace.net.AddressSet;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.AddressValves;
import io.millrace.standalone.config.ErrorReportValves;
import io.millrace.standalone.config.FrontEndVocabulary;
import io.millrace.standalone.config.HandlerValves;
import io.millrace.standalone.config.SessionValves;
import io.millrace.standalone.config.SingleSignOnValves;
import io.millrace.standalone.config.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Creates the handlers of Valves that work alike in Engine, Host and Context: all except RewriteValve. */
final class ValveHandlers {

    /** Tomcat responds with 200 and no body, which a client would take for the page. */
    private static final int UNAVAILABLE = 503;

    private final Path base;
    private final Consumer<String> warnings;

    /**
     * For one container.
     *
     * @param base the directory to which file names are relative
     * @param warnings receives warnings about what has no effect
     */
    ValveHandlers(Path base, Consumer<String> warnings) {
        this.base = base;
        this.warnings = warnings;
    }

    /** Whether it has a handler. Others configure all applications of a container. */
    static boolean isOne(Values valve) {
        return !SingleSignOnValves.isOne(valve) && !SessionValves.isOne(valve);
    }

    UnaryOperator<HttpHandler> of(Values valve) {
        if (AddressValves.isOne(valve)) {
            return AddressFilters.of(valve)::wrap;
        }
        if (ErrorReportValves.isOne(valve)) {
            return new ErrorReports(base, warnings).of(valve)::wrap;
        }
        return switch (valve.text("className", "")) {
            case HandlerValves.SEMAPHORE -> limit(valve)::wrap;
            case HandlerValves.STUCK_THREADS -> stuckThreads(valve);
            case HandlerValves.SSL -> FrontEndFactory.certificates(valve)::wrap;
            default -> FrontEndFactory.relay(valve)::wrap;
        };
    }

    private static UnaryOperator<HttpHandler> stuckThreads(Values valve) {
        int threshold = valve.number("threshold");
        int interrupt = valve.number("interruptThreadThreshold");
        return threshold <= 0
                ? next -> next
                : new StuckThreads(Duration.ofSeconds(threshold), interrupt <= 0 ? null : Duration.ofSeconds(interrupt))
                        ::wrap;
    }

    private static ConcurrencyLimit limit(Values valve) {
        int requests = valve.number("concurrency");
        int status = valve.number("highConcurrencyStatus");
        return valve.flag("block")
                ? ConcurrencyLimit.waiting(requests)
                : ConcurrencyLimit.refusing(requests, status > 0 ? status : UNAVAILABLE);
    }

    /** Creates address filters from Tomcat's Valves. */
    private static final class AddressFilters {

        private AddressFilters() {}

        static AddressFilter of(Values valve) {
            AddressFilter filter =
                    AddressFilter.of(AddressValves.rule(valve)).withDenyStatus(valve.number("denyStatus"));
            filter = valve.flag("addConnectorPort") ? filter.withConnectorPort() : filter;
            filter = AddressValves.isByPeer(valve) ? filter.withPeerAddress() : filter;
            return AddressValves.isByName(valve)
                    ? filter.withNames(exchange -> {
                        Settings connector = exchange.attributes().get(Connector.SETTINGS);
                        return connector != null && connector.get(ServletOptions.ENABLE_LOOKUPS);
                    })
                    : filter;
        }
    }

    /** Creates error reports from Tomcat's Valves. Their files are read in advance: errors are reported on threads that must not block. */
    private static final class ErrorReports {

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
            for (Map.Entry<Integer, String> file :
                    ErrorReportValves.byStatus(valve).entrySet()) {
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

    /** Creates from server.xml the handlers that apply what front ends report of clients. */
    private static final class FrontEndFactory {

        private FrontEndFactory() {}

        static CertificateFields certificates(Values valve) {
            return CertificateFields.of(valve.settings());
        }

        static Relay relay(Values valve) {
            return FrontEndVocabulary.isForwarded(valve)
                    ? ForwardedField.trusting(AddressSet.parse(valve.text(FrontEndVocabulary.TRUSTED, "")))
                    : RemoteIp.DEFAULT.with(valve.settings());
        }
    }
}
