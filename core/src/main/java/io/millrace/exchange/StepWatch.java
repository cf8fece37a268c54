package io.millrace.exchange;

/** Told which thread runs each step of an exchange. Must be quick, and throw nothing. */
public interface StepWatch {

    /** A handler of the exchange is about to run on this thread. */
    void begun(Thread thread);

    /** It has returned or thrown; on the same thread, which has nothing to do with the exchange from here on. */
    void ended();
}
