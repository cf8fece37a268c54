package io.millrace.io.socket;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket of some kind, bound already. All but the address is for the thread of its {@link Acceptor}.
 *
 * @param <S> the sockets that are accepted
 */
public interface Entrance<S extends Closeable> {

    /** Where it listens. Any thread. */
    SocketAddress address();

    /**
     * Comes before all else.
     *
     * @param somebody to be called, on this thread, when somebody may be there to be accepted
     */
    void open(Runnable somebody) throws IOException;

    /** Whether to be told of those who come. Perhaps one is told nevertheless. */
    void watch(boolean wanted) throws IOException;

    /**
     * One that has connected; null if there is nobody.
     *
     * @throws IOException if none can be accepted, for now
     */
    @Nullable
    S accept() throws IOException;

    /** Makes it ready for a connection: not blocking, with its options. */
    void configure(S accepted) throws IOException;

    /** Once nobody is accepted any more; also if it was never opened. */
    void close();
}
