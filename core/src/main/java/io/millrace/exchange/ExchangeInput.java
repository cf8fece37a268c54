package io.millrace.exchange;

import io.millrace.http.Headers;
import io.millrace.io.BufferPoolExhaustedException;
import io.millrace.io.Chunk;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A request's body: reads its stream until the end or a failure, and never after. That the connection broke is told as a
 * {@link ClientClosedException}.
 *
 * <p><b>Threads.</b> For the owner of the exchange. An application may read on another thread while the exchange ends, so
 * the stream is ended only when no thread is inside it any more: otherwise such a thread could take the bytes of the next
 * request.
 */
final class ExchangeInput implements BodySource {

    private final HttpStream stream;

    // guarded by this
    private RequestState state = RequestState.UNREAD;
    private @Nullable IOException failure;

    /** A thread reads from the stream. */
    private boolean reading;

    /** How many threads are in a call of the stream. */
    private int inside;

    private @Nullable Runnable afterLast;

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
                return null; // what there is belongs to the thread that reads
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

    /** What the reader gets instead of the chunk; null if the chunk is the reader's. */
    private @Nullable IOException finishRead(@Nullable Chunk chunk, @Nullable IOException thrown) {
        synchronized (this) {
            reading = false;
            if (!state.isOver()) {
                move(event(chunk, thrown));
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

    /** Malformed input and a lack of buffers have names of their own; what else fails is the connection. */
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
     * The exchange is over: what its handlers left running must not read the next request's bytes.
     *
     * @param then runs when no thread reads or begins to wait any more, on the last such thread, if the answer is false
     * @return true if that is now, and nothing runs
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

    /** True if reading failed because the connection did, not because the client sent something wrong. */
    synchronized boolean isBroken() {
        return failure != null && !(failure instanceof ProtocolException);
    }

    private void move(RequestState.Event event) {
        state = RequestState.next(state, event);
    }
}
