package io.millrace.exchange;

import io.millrace.http.RequestHead;
import io.millrace.io.Timers;
import io.millrace.io.Turns;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.workers.Workers;

/**
 * Makes an exchange of every request and sets it going with the root handler.
 *
 * <p><b>Threads.</b> A {@link NonBlockingHandler} runs where the request was read. A plain handler runs there too if that
 * thread may block or is a worker; otherwise it is handed to the workers, once. What a handler dispatches next follows on
 * the same thread if it belongs there, after the handler's call has returned; what continues a suspended exchange always
 * goes through an executor, so that the thread that resumes it, perhaps with locks held, runs nothing of it.
 */
public final class ExchangeDispatcher implements Dispatcher {

    private final HttpHandler root;
    private final ExchangeContext context;

    /**
     * A dispatcher.
     *
     * @param root answers all requests
     * @param workers run what may block
     * @param timers for the timeouts of suspensions
     */
    public ExchangeDispatcher(HttpHandler root, Workers workers, Timers timers, ExchangeOptions options) {
        this(root, workers, timers, options, new Attributes());
    }

    /**
     * A dispatcher whose exchanges begin with attributes.
     *
     * @param given not changed any more
     */
    public ExchangeDispatcher(
            HttpHandler root, Workers workers, Timers timers, ExchangeOptions options, Attributes given) {
        this.root = root;
        context = new ExchangeContext(workers, timers, options, given);
    }

    @Override
    public void dispatch(RequestHead request, HttpStream stream) {
        new Exchange(context, request, stream).start(root);
    }

    @Override
    public Turns turns() {
        return context.workers();
    }
}
