package io.millrace.servlet.context;

/** How far a context's start is. Changed by the thread that starts it, read by any. */
final class Phase {

    private enum Step {
        /** The descriptor's and the embedder's components are made. */
        DECLARING,
        /** Initializers may add components, context listeners among them. */
        INITIALIZING,
        /** Context listeners are notified, and may add other components. */
        TELLING,
        STARTED
    }

    private volatile Step step = Step.DECLARING;

    void initialize() {
        step = Step.INITIALIZING;
    }

    void tell() {
        step = Step.TELLING;
    }

    void freeze() {
        step = Step.STARTED;
    }

    /** Listeners of the context are notified at once: later would be too late (ServletContext.addListener). */
    boolean takesContextListeners() {
        return step == Step.DECLARING || step == Step.INITIALIZING;
    }

    /** Is what is added now declared in a descriptor, by an annotation or by who deploys the application? */
    boolean isDeclaring() {
        return step == Step.DECLARING;
    }

    /** Servlet 3.1, 4.4: registrations change only while the application starts. */
    void requireConfigurable() {
        if (step == Step.STARTED) {
            throw new IllegalStateException(
                    "the web application is initialized already; servlets, filters, listeners and parameters can be "
                            + "changed only while it starts (in a ServletContainerInitializer or contextInitialized)");
        }
    }
}
