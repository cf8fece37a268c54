package io.millrace.standalone;

import io.millrace.exchange.HttpHandler;
import io.millrace.handler.ConcurrencyLimit;
import io.millrace.handler.StuckThreads;
import io.millrace.standalone.config.AddressValves;
import io.millrace.standalone.config.ErrorReportValves;
import io.millrace.standalone.config.HandlerValves;
import io.millrace.standalone.config.SessionValves;
import io.millrace.standalone.config.SingleSignOnValves;
import io.millrace.standalone.config.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Makes handlers of the Valves that are alike in Engine, Host and Context: of all but RewriteValve. */
final class ValveHandlers {

    /** Tomcat answers 200 without a body, which a client would take for the page. */
    private static final int UNAVAILABLE = 503;

    private final Path base;
    private final Consumer<String> warnings;

    /**
     * Handlers for one container.
     *
     * @param base what names of files are relative to
     * @param warnings is told what has no effect
     */
    ValveHandlers(Path base, Consumer<String> warnings) {
        this.base = base;
        this.warnings = warnings;
    }

    /** Does it stand for a handler? Others say something of all applications of a container. */
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
}
