package io.millrace.servlet.context;

/** Whether a context can still be configured. Changed by the thread that starts it, read by any. */
final class Phase {

    private volatile boolean configurable = true;

    void freeze() {
        configurable = false;
    }

    /** Servlet 3.1, 4.4: registrations change only while the application starts. */
    void requireConfigurable() {
        if (!configurable) {
            throw new IllegalStateException(
                    "the web application is initialized already; servlets, filters, listeners and parameters can be "
                            + "changed only while it starts (in a ServletContainerInitializer or contextInitialized)");
        }
    }
}
