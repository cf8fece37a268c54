package io.millrace.exchange;

import io.millrace.http.Headers;
import io.millrace.io.BufferPoolExhaustedException;
import io.millrace.io.Chunk;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request. Reads its stream up to the end or a failure, and not after it. Reports a broken connection as a
 * {@link ClientClosedException}.
 *
 * <p><b>Threads.</b> Confined to the owner of the exchange. But an application may read on another thread while the exchange
 * ends; the stream is therefore ended only when no thread is inside it: such a thread could take bytes of the next request.
 */
final class ExchangeInput implements BodySource {

    private final HttpStream stream;

    // guarded by this
    private RequestState state = RequestState.UNREAD;
    private @Nullable IOException failure;

    /** A thread is reading from the stream. */
    private boolean reading;

    /** The number of threads inside a call of the stream. */
    private int inside;

    private @Nullable Runnable afterLast;
    private long received;

    ExchangeInput(HttpStream stream) {
        this.stream = stream;
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        synchronized (this) {
            if (state.isOver()) {
                if (failure != null) {
                    throw failure;
                }
                return Chunk.END;
            }
            if (reading) {
                return null; // available bytes belong to the thread that is reading
            }
            reading = true;
            inside++;
        }
        Chunk chunk = null;
        IOException thrown = null;
        try {
            chunk = stream.read();
        } catch (IOException e) {
            thrown = broken(e);
        } finally {
            thrown = finishRead(chunk, thrown);
            leave();
        }
        if (thrown != null) {
            throw thrown;
        }
        return chunk;
    }

    /** The number of bytes that were read. */
    synchronized long received() {
        return received;
    }

    /** The exception for the reader; null if it gets the chunk. */
    private @Nullable IOException finishRead(@Nullable Chunk chunk, @Nullable IOException thrown) {
        synchronized (this) {
            reading = false;
            if (!state.isOver()) {
                move(event(chunk, thrown));
                received += chunk == null || chunk.isEnd() ? 0 : chunk.bytes().remaining();
                failure = thrown;
                return thrown;
            }
        }
        if (chunk != null) {
            chunk.release();
        }
        return thrown != null ? thrown : failure;
    }

    private static RequestState.Event event(@Nullable Chunk chunk, @Nullable IOException thrown) {
        if (thrown != null) {
            return RequestState.Event.FAIL;
        }
        return chunk != null && chunk.isEnd() ? RequestState.Event.END : RequestState.Event.READ;
    }

    /** Malformed input and a lack of buffers have their own exceptions; all others are failures of the connection. */
    private static IOException broken(IOException thrown) {
        boolean named = thrown instanceof ProtocolException
                || thrown instanceof BufferPoolExhaustedException
                || thrown instanceof ClientClosedException;
        return named ? thrown : ClientClosedException.withinRequest(thrown);
    }

    @Override
    public void awaitReadable(Runnable ready) {
        boolean over;
        synchronized (this) {
            over = state.isOver();
            inside += over ? 0 : 1;
        }
        if (over) {
            ready.run();
            return;
        }
        try {
            stream.awaitReadable(ready);
        } finally {
            leave();
        }
    }

    @Override
    public @Nullable Headers trailers() {
        return stream.trailers();
    }

    private void leave() {
        Runnable then = null;
        synchronized (this) {
            inside--;
            if (inside == 0) {
                then = afterLast;
                afterLast = null;
            }
        }
        if (then != null) {
            then.run();
        }
    }

    /**
     * Called at the end of the exchange: threads that its handlers left running must not read bytes of the next request.
     *
     * @param then called by the last thread that leaves a call of the stream, if this method returns false
     * @return true if no thread is inside a call; nothing is called then
     */
    synchronized boolean close(Runnable then) {
        if (!state.isOver()) {
            failure = new IOException("the request has ended");
            move(RequestState.Event.FAIL);
        }
        if (inside > 0) {
            afterLast = then;
        }
        return inside == 0;
    }

    /** Whether reading failed because the connection did, not because the client sent something wrong. */
    synchronized boolean isBroken() {
        return failure != null && !(failure instanceof ProtocolException);
    }

    private void move(RequestState.Event event) {
        state = RequestState.next(state, event);
    }
}
