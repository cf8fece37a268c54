package io.millrace.exchange;

import io.millrace.io.Timers;
import io.millrace.workers.Workers;
import java.util.concurrent.Executor;

/**
 * The state that all exchanges of a dispatcher share.
 *
 * @param steps runs on the workers what may block them, the handlers: as many at once as the connection's share allows
 */
record ExchangeContext(Workers workers, Executor steps, Timers timers, ExchangeOptions options, Attributes given) {

    /** A context in which handlers may occupy all workers. */
    ExchangeContext(Workers workers, Timers timers, ExchangeOptions options, Attributes given) {
        this(workers, workers, timers, options, given);
    }

    /** The same with handlers that get a share of the workers. */
    ExchangeContext withSteps(Executor shared) {
        return new ExchangeContext(workers, shared, timers, options, given);
    }
}
