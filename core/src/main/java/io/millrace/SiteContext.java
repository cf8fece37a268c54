package io.millrace;

import io.millrace.io.BufferPool;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The resources of the server, as seen by the applications of one site. */
record SiteContext(Resources resources, Site site) implements ServerContext {

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
        return site.application(path);
    }
}
