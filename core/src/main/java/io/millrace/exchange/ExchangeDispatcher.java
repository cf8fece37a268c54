package io.millrace.exchange;

import io.millrace.http.RequestHead;
import io.millrace.io.Timers;
import io.millrace.io.Turns;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.workers.Workers;

/**
 * Creates an exchange for every request and calls the root handler with it.
 *
 * <p><b>Threads.</b> A {@link NonBlockingHandler} runs on the thread that read the request. A plain handler runs there
 * too if that thread may block or is a worker; otherwise it is dispatched to a worker, once. A handler that another one
 * dispatches to runs next on the same thread if that is suitable, after the first one has returned. A handler that
 * continues a suspended exchange always runs on an executor, so that the thread that resumes it, possibly holding locks,
 * runs none of it.
 */
public final class ExchangeDispatcher implements Dispatcher {

    private final HttpHandler root;
    private final ExchangeContext context;

    /**
     * A dispatcher whose exchanges have no initial attributes.
     *
     * @param root the handler of all requests
     * @param workers run handlers that may block
     * @param timers for the timeouts of suspensions
     * @param options the settings of exchanges
     */
    public ExchangeDispatcher(HttpHandler root, Workers workers, Timers timers, ExchangeOptions options) {
        this(root, workers, timers, options, new Attributes());
    }

    /**
     * A dispatcher whose exchanges have initial attributes.
     *
     * @param given the attributes; must not be modified any more
     */
    public ExchangeDispatcher(
            HttpHandler root, Workers workers, Timers timers, ExchangeOptions options, Attributes given) {
        this.root = root;
        context = new ExchangeContext(workers, timers, options, given);
    }

    private ExchangeDispatcher(HttpHandler root, ExchangeContext context) {
        this.root = root;
        this.context = context;
    }

    @Override
    public Dispatcher ofConnection(int most) {
        return new ExchangeDispatcher(root, context.withSteps(context.workers().share(most)));
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
