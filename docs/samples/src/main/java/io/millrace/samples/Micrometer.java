package io.millrace.samples;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.Server;
import io.millrace.micrometer.MillraceMetrics;

/** Samples of the page on metrics, for Micrometer. */
final class Micrometer {

    private Micrometer() {}

    // tag::bind
    static MillraceMetrics bind(Server server, MeterRegistry registry) {
        MillraceMetrics binder = new MillraceMetrics(server.metrics());
        binder.bindTo(registry); // meters come and go with connectors and applications
        return binder; // if the registry outlives the server, its close() removes them
    }
    // end::bind
}
