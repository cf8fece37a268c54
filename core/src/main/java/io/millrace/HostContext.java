package io.millrace;

import io.millrace.io.BufferPool;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.jmx.JmxDomain;
import io.millrace.metrics.MetricGroup;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The resources of the server, as seen by an application of one host. */
record HostContext(Resources resources, @Nullable JmxDomain jmx, HostContent content, MetricGroup metrics)
        implements ServerContext {

    @Override
    public String host() {
        return content.name().isEmpty() ? "localhost" : content.name();
    }

    @Override
    public Executor workers() {
        return resources.workers();
    }

    @Override
    public int maxRunning() {
        return resources.maxRunning();
    }

    @Override
    public Timers timers() {
        return resources.timers();
    }

    @Override
    public BufferPool buffers() {
        return resources.buffers();
    }

    @Override
    public Dialer dialer() throws IOException {
        return resources.dialer();
    }

    @Override
    public @Nullable Application application(String path) {
        return content.application(path);
    }
}
