package io.millrace.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Who is told that an exchange is over, in order. One that fails is a line in the log; the others are told. */
final class EndListeners {

    private final Exchange exchange;
    private final List<Consumer<Outcome>> listeners = new ArrayList<>(2);

    EndListeners(Exchange exchange) {
        this.exchange = exchange;
    }

    void add(Consumer<Outcome> listener) {
        listeners.add(listener);
    }

    void tell(Outcome outcome) {
        for (Consumer<Outcome> listener : listeners) {
            try {
                listener.accept(outcome);
            } catch (RuntimeException | Error broken) {
                ExchangeLog.LOG.listenerFailed(exchange.request().method(), exchange.printablePath(), broken);
            }
        }
    }
}
