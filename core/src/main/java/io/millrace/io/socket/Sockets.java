package io.millrace.io.socket;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The acceptor of a transport and its connections, and how {@link GracefulStop.Steps} ends them.
 *
 * @param acceptor accepts connections
 * @param groups the open connections
 * @param threads releases the threads; done when they have ended
 * @param <C> the connections
 */
public record Sockets<C extends SocketConnection<C>>(
        Acceptor acceptor, List<ConnectionGroup<C>> groups, Supplier<? extends CompletionStage<Void>> threads) {

    /** Notifies every connection's handler that the server drains. */
    void announce() {
        new ConnectionGroups<>(groups).announce();
    }

    /** Lets every handler check its connection; those accepted last are ahead of this in their threads' queues. */
    void drain() {
        new ConnectionGroups<>(groups).drain();
    }

    /** Closes all connections. */
    void cut(IOException cause) {
        new ConnectionGroups<>(groups).cut(cause);
    }
}
