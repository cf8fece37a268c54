package io.millrace.server;

import static io.millrace.metrics.MetricFamily.counter;
import static io.millrace.metrics.MetricFamily.gauge;

import io.millrace.exchange.RequestMeter;
import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.MetricGroup;
import java.util.function.BooleanSupplier;

/** The metrics of an application, as its server sees it. */
public final class ApplicationMetrics {

    private static final MetricFamily UP = gauge("millrace_application_up", "1: it runs; 0: it failed to start");
    private static final MetricFamily REQUESTS = counter(
            "millrace_application_requests_total", "Requests that have ended in it; 499: the client left before");
    private static final MetricFamily DURATION = MetricFamily.histogram(
            "millrace_application_request_duration_seconds", "Time from a request's head to the end of its response");

    private ApplicationMetrics() {}

    /** Adds whether it runs. */
    public static void addUp(MetricGroup group, String version, BooleanSupplier isUp) {
        group.number(UP, () -> isUp.getAsBoolean() ? 1 : 0, "version", version);
    }

    /** Adds its requests. */
    public static void addRequests(MetricGroup group, ApplicationGate gate) {
        for (int i = 0; i < RequestMeter.CLASSES.size(); i++) {
            int code = i;
            String[] labels = {"code", RequestMeter.CLASSES.get(i)};
            if (RequestMeter.isOrdinary(code)) {
                group.number(REQUESTS, () -> gate.ended(code), labels);
            } else {
                group.occasional(REQUESTS, () -> gate.ended(code), labels);
            }
        }
        group.histogram(DURATION, () -> gate.durations().read());
    }
}
