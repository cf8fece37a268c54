package io.millrace.servlet.context;

/** The phase of a context's start. Written by the thread that starts it, read by any. */
final class Phase {

    private enum Step {
        /** The descriptor's and the embedder's components are registered. */
        DECLARING,
        /** Initializers may add components, context listeners among them. */
        INITIALIZING,
        /** Context listeners are notified, and may add components other than context listeners. */
        NOTIFYING,
        STARTED
    }

    private volatile Step step = Step.DECLARING;

    void initialize() {
        step = Step.INITIALIZING;
    }

    void beginNotifying() {
        step = Step.NOTIFYING;
    }

    void freeze() {
        step = Step.STARTED;
    }

    /** True until context listeners are notified: later ones would miss the start (ServletContext.addListener). */
    boolean takesContextListeners() {
        return step == Step.DECLARING || step == Step.INITIALIZING;
    }

    /** Whether what is added now is declared by a descriptor, an annotation or the embedder. */
    boolean isDeclaring() {
        return step == Step.DECLARING;
    }

    /** Registrations can be changed only while the application starts (Servlet 3.1, 4.4). */
    void requireConfigurable() {
        if (step == Step.STARTED) {
            throw new IllegalStateException(
                    "the web application is already initialized; servlets, filters, listeners and parameters can be "
                            + "changed only while it starts (in a ServletContainerInitializer or contextInitialized)");
        }
    }
}
