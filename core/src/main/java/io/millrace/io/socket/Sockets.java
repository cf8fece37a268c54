package io.millrace.io.socket;

import java.io.IOException;
import java.util.concurrent.CompletionStage;

/**
 * What transports over sockets differ in: how one listens, and the threads and the list of its connections. It makes an end
 * of them as {@link GracefulStop.Steps} says.
 */
public interface Sockets {

    /** Where connections come from; the same each time. */
    Acceptor acceptor();

    /** Tells every connection's handler that it will have to end. */
    void announce();

    /** Lets every connection's handler look at its connection, where handlers are called. */
    void drain();

    /** Closes all connections. */
    void cut(IOException why);

    /** Gives back the threads; done when they have ended. */
    CompletionStage<Void> release();
}
