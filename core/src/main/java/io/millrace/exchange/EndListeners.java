package io.millrace.exchange;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Listeners for the end of an exchange, called in order. If one throws, that is logged and the others are called. */
final class EndListeners {

    private final Exchange exchange;
    /** Usually the only one. */
    private @Nullable Consumer<Outcome> first;

    private List<Consumer<Outcome>> others = List.of();

    EndListeners(Exchange exchange) {
        this.exchange = exchange;
    }

    void add(Consumer<Outcome> listener) {
        if (first == null) {
            first = listener;
            return;
        }
        if (others.isEmpty()) {
            others = new ArrayList<>(2);
        }
        others.add(listener);
    }

    void call(Outcome outcome) {
        if (first != null) {
            call(first, outcome);
        }
        for (int i = 0; i < others.size(); i++) {
            call(others.get(i), outcome);
        }
    }

    private void call(Consumer<Outcome> listener, Outcome outcome) {
        try {
            listener.accept(outcome);
        } catch (RuntimeException | Error broken) {
            ExchangeLog.LOG.listenerFailed(exchange.request().method(), exchange.printablePath(), broken);
        }
    }
}
