package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.ResetReason;
import io.millrace.settings.Settings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A stream: a request and its response on a multiplexed connection, on the client's or the server's side. Its directions,
 * {@link StreamInput} and {@link StreamOutput}, are independent; {@link StreamState} describes the states of both.
 */
public abstract class MuxStream extends Schedule.Entry implements StreamTable.Entry {

    private final MuxConnection connection;
    private final int id;
    private final @Nullable StreamInput input;
    private final StreamOutput output;

    // guarded by the lock
    private StreamState state;
    private boolean exchangeOver;

    /** Guarded by this. */
    private @Nullable Throwable lostBy;

    /**
     * A new stream. Called with the lock held.
     *
     * @param hasBody whether the peer sends a body; otherwise it has ended its side
     * @param length the body's Content-Length; -1 if there is none, or if it is not known yet
     * @param method the method of the request
     */
    protected MuxStream(
            MuxConnection connection, int id, boolean hasBody, long length, Priority priority, String method) {
        super(priority);
        this.connection = connection;
        this.id = id;
        state = hasBody ? StreamState.OPEN : StreamState.HALF_CLOSED_REMOTE;
        input = hasBody ? input(connection, length) : null;
        output = new StreamOutput(id, connection.output().initialWindow(), method);
    }

    private static StreamInput input(MuxConnection connection, long length) {
        Settings options = connection.context().options();
        return new StreamInput(
                connection.channel().buffers(),
                options.get(MuxOptions.INITIAL_WINDOW_SIZE),
                connection.firstWindow(),
                MuxOptions.streamWindow(options),
                length);
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

    // ---- with the lock of the connection held

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

    // ---- for its owner

    /** Reads what the peer sends on the stream; see {@link io.millrace.protocol.HttpStream#read}. */
    protected @Nullable Chunk readRaw() throws IOException {
        StreamInput from = input;
        if (from == null) {
            return Chunk.END;
        }
        Chunk chunk = from.read();
        grant(from);
        return chunk;
    }

    /** Waits until there is something to read; see {@link io.millrace.protocol.HttpStream#awaitReadable}. */
    protected void awaitRaw(Runnable ready) {
        StreamInput from = input;
        if (from == null) {
            ready.run();
            return;
        }
        grant(from);
        if (from.await(ready)) {
            connection.watch();
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

    /** Whether the complete body has arrived, and was neither discarded nor failed. */
    protected final boolean isBodyWhole() {
        return input != null && input.isWhole();
    }

    /** Whether the complete body was read. */
    protected final boolean isBodyRead() {
        return input != null && input.isExhausted();
    }

    /** Whether a reader has been waiting for the body since before this {@link System#nanoTime}. */
    protected final boolean isBodyOverdue(long since) {
        return input != null && input.isOverdue(since);
    }

    /** Makes reading of the body fail from now on. */
    protected final void fail(IOException why) {
        if (input != null) {
            input.fail(why);
        }
    }

    /** Whether the peer has not ended its side. */
    public final boolean isPeerSending() {
        synchronized (connection.lock()) {
            return isPeerOpen();
        }
    }

    /** Whether the message to the peer has not been sent completely. */
    protected final boolean isSending() {
        synchronized (connection.lock()) {
            return isOwnOpen();
        }
    }

    /** Sets the trailer fields of the message to the peer; ignored unless the length of its body is unknown. */
    protected final void trail(Headers fields) {
        synchronized (connection.lock()) {
            output.trail(fields);
        }
    }

    /** Ends a client's exchange after it has read the complete response; the rest of the request is not sent. */
    protected final void answered() {
        connection.streams().answered(this);
    }

    /** Sends a piece of a message that has begun; see {@link io.millrace.protocol.HttpStream#send}. */
    protected final void sendPiece(Payload.Bytes piece, boolean last, Completion completion) {
        connection.output().send(this, null, 0, piece, last, completion);
    }

    /** The trailer fields from the peer, once its side has ended. */
    public final @Nullable Headers trailers() {
        return input == null ? null : input.trailers();
    }

    // ---- the end

    /** Called when a stream starts to wait for its peer: {@link #sweep} is called from time to time. */
    protected final void watch() {
        connection.watch();
    }

    /** Resets the stream because its exchange has failed. May be called more than once. True if that has reset it. */
    protected final boolean reset(ResetReason reason, Throwable why) {
        return connection.streams().abort(this, reason, why);
    }

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
                failBody(why);
            }
        } finally {
            onLost(why);
        }
    }

    /** Fails reading of the body, if there is one, because no more of it arrives. */
    protected abstract void failBody(Throwable why);

    /** Notifies the owner. Called once, without a lock. */
    protected abstract void onLost(Throwable why);

    /** Why the stream was lost; null if it was not. */
    protected final synchronized @Nullable Throwable lostBy() {
        return lostBy;
    }

    /** The exception for sending after the stream has ended. */
    final synchronized Throwable failure() {
        return lostBy == null ? new IOException("the stream has ended") : lostBy;
    }

    /** Whether it is a request of the peer, so that a reset by the peer counts against it. */
    protected abstract boolean isPeersRequest();

    /** Whether it is a request that waits because its peer has caused many resets. Called with the {@link MuxLock} held. */
    boolean isHeldBack() {
        return false;
    }

    /** Whether DATA is allowed now. */
    protected boolean mayHaveBody() {
        return true;
    }

    /** Called once, without a lock, when its exchange has ended. */
    protected void onExchangeOver() {}

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
    protected abstract void drain();

    /** Enforces the timeouts of waits for the peer. True if a wait remains. */
    protected abstract boolean sweep(long now);

    /** The connection's channel. */
    public Channel channel() {
        return connection.channel();
    }
}
