package io.millrace.exchange;

/** Is notified of the thread that runs each handler of an exchange. Must return quickly and throw nothing. */
public interface StepWatch {

    /** Called on a thread that is about to run a handler of the exchange. */
    void begun(Thread thread);

    /** Called on the same thread after the handler has returned or thrown; the thread no longer works for the exchange. */
    void ended();
}
