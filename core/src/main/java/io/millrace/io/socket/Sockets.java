package io.millrace.io.socket;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * What a transport listens on, and its connections. Makes an end of them as {@link GracefulStop.Steps} says.
 *
 * @param acceptor where connections come from
 * @param crews where they are
 * @param threads gives back the threads; done when they have ended
 * @param <C> the connections
 */
public record Sockets<C extends SocketConnection<C>>(
        Acceptor acceptor, List<Crew<C>> crews, Supplier<? extends CompletionStage<Void>> threads) {

    /** Tells every connection's handler that it will have to end. */
    void announce() {
        crews.forEach(crew ->
                crew.connections().forEach(connection -> connection.life().tellDrain()));
    }

    /** Lets every handler look at its connection; those accepted last are in their threads' queues before this. */
    void drain() {
        crews.forEach(crew -> crew.thread().execute(() -> crew.connections().forEach(SocketConnection::drain)));
    }

    /** Closes all connections. */
    void cut(IOException why) {
        crews.forEach(crew ->
                crew.thread().execute(() -> crew.connections().forEach(connection -> connection.close(why))));
    }
}
