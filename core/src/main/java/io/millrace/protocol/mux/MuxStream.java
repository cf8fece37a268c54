package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A stream: a request and its response on a multiplexed connection, on the client's or the server's side. Its directions,
 * {@link StreamInput} and {@link StreamOutput}, are independent; {@link StreamState} describes the states of both.
 */
abstract class MuxStream implements StreamTable.Entry {

    private final MuxConnection connection;
    private final int id;
    private final @Nullable StreamInput input;
    private final StreamOutput output;

    // guarded by the connection's output
    private StreamState state;
    private boolean exchangeOver;

    /** Guarded by this. */
    private @Nullable Throwable lostBy;

    /**
     * A new stream.
     *
     * @param state the initial state
     * @param input the peer's output; null if there is none
     * @param method the method of the request
     * @param sendWindow the initial window for output
     */
    MuxStream(
            MuxConnection connection,
            int id,
            StreamState state,
            @Nullable StreamInput input,
            Priority priority,
            String method,
            int sendWindow) {
        this.connection = connection;
        this.id = id;
        this.state = state;
        this.input = input;
        output = new StreamOutput(this, priority, sendWindow, method);
    }

    @Override
    public final int id() {
        return id;
    }

    /** Whether it was opened by the server. */
    final boolean isPushed() {
        return (id & 1) == 0;
    }

    MuxConnection connection() {
        return connection;
    }

    StreamOutput out() {
        return output;
    }

    /** Null if the request has no body. */
    @Nullable
    StreamInput in() {
        return input;
    }

    // ---- with the connection's {@link MuxLock} held

    StreamState state() {
        connection.lock().assertHeld();
        return state;
    }

    boolean isOver() {
        connection.lock().assertHeld();
        return state.isOver();
    }

    boolean isOwnOpen() {
        connection.lock().assertHeld();
        return state.isOwnOpen();
    }

    boolean isPeerOpen() {
        connection.lock().assertHeld();
        return state.isPeerOpen();
    }

    /** False, without a change, if the event is not possible any more. */
    boolean move(StreamState.Event event) {
        connection.lock().assertHeld();
        StreamState to = StreamState.next(state, event);
        state = to == null ? state : to;
        return to != null;
    }

    /** Called when our side has ended. */
    void ownEnded() {
        connection.streams().ownEnded(this);
    }

    /** Whether the peer's window suffices for the rest of its body, or the peer has ended its side. */
    boolean isRestGranted() {
        return input == null || !isPeerOpen() || input.isRestGranted();
    }

    /** Whether its exchange has ended. */
    boolean isExchangeOver() {
        connection.lock().assertHeld();
        return exchangeOver;
    }

    /** Records that its exchange has ended. False if it had ended before. */
    boolean endExchange() {
        connection.lock().assertHeld();
        boolean first = !exchangeOver;
        exchangeOver = true;
        return first;
    }

    @Nullable
    Chunk readRaw() throws IOException {
        StreamInput from = input;
        if (from == null) {
            return Chunk.END;
        }
        Chunk chunk = from.read();
        grant(from);
        return chunk;
    }

    void awaitRaw(Runnable ready) {
        StreamInput from = input;
        if (from == null) {
            ready.run();
            return;
        }
        grant(from);
        if (from.await(ready)) {
            connection.sweep().watch();
        } else {
            ready.run();
        }
    }

    private void grant(StreamInput to) {
        int more = to.grant(!connection.channel().buffers().isHalfLent());
        if (more > 0) {
            connection.output().grant(this, more);
        }
    }

    /** The trailer fields from the peer, once its side has ended. */
    public final @Nullable Headers trailers() {
        return input == null ? null : input.trailers();
    }

    // ---- the end

    /** Called without a lock when either side has reset the stream or the connection is closed; possibly more than once. */
    final void lost(Throwable why) {
        synchronized (this) {
            if (lostBy != null) {
                return;
            }
            lostBy = why;
        }
        try {
            if (input != null) {
                failInput(input, why);
            }
        } finally {
            onLost(why);
        }
    }

    /** Fails reading, because no more input arrives. */
    abstract void failInput(StreamInput from, Throwable why);

    /** Notifies the owner. Called once, without a lock. */
    abstract void onLost(Throwable why);

    /** Why the stream was lost; null if it was not. */
    final synchronized @Nullable Throwable lostBy() {
        return lostBy;
    }

    /** The exception for sending after the stream has ended. */
    final synchronized Throwable failure() {
        return lostBy == null ? new IOException("the stream has ended") : lostBy;
    }

    /** Whether it is a request of the peer, so that a reset by the peer counts against it. */
    abstract boolean isPeersRequest();

    /** Whether it is a request that waits because its peer has caused many resets. Called with the {@link MuxLock} held. */
    boolean isHeldBack() {
        return false;
    }

    /** Whether DATA is allowed now. */
    boolean mayHaveBody() {
        return true;
    }

    /** Called once, without a lock, when its exchange has ended. */
    void onExchangeOver() {}

    /** Whether a successful response would say that a tunnel is open, although none is. */
    boolean isTunnelMissing() {
        return false;
    }

    /** Discards the body, which is not read any more. */
    void discard() {
        if (input != null) {
            input.discard();
        }
    }

    /** Called when its exchange has ended it normally: no further notifications. */
    void detach() {
        discard();
    }

    /** Called when the connection drains. */
    abstract void drain();

    /** Enforces the timeouts of waits for the peer. True if a wait remains. */
    abstract boolean sweep(long now);

    /** The connection's channel. */
    public Channel channel() {
        return connection.channel();
    }
}
