package io.millrace.exchange;

import io.millrace.http.RequestHead;
import io.millrace.io.Timers;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;

/** Makes an exchange of every request and sets it going with the root handler. */
public final class ExchangeDispatcher implements Dispatcher {

    /**
     * A dispatcher.
     *
     * @param root answers all requests
     * @param workers run what may block
     * @param timers for the timeouts of suspensions
     */
    public ExchangeDispatcher(HttpHandler root, Workers workers, Timers timers, ExchangeOptions options) {}

    @Override
    public void dispatch(RequestHead request, HttpStream stream) {
        throw new UnsupportedOperationException("exchange");
    }
}
