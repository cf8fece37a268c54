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
}
