package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response among others on a connection, seen from either side. Its two directions are independent: {@link
 * StreamInput} and {@link StreamOutput}; {@link StreamState} says how far both are.
 */
abstract class MuxStream implements StreamTable.Entry {

    private final MuxConnection connection;
    private final int id;
    private final @Nullable StreamInput input;
    private final StreamOutput output;

    // guarded by the connection's output
    private StreamState state;
    private boolean left;

    /** Guarded by this. */
    private @Nullable Throwable lostBy;

    /**
     * A stream.
     *
     * @param state in which it begins
     * @param input what the peer sends; null if that is nothing
     * @param method of the request
     * @param sendWindow what the peer takes at first
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

    /** Was it opened by a server? */
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

    // ---- with the connection's output lock

    StreamState state() {
        return state;
    }

    boolean isOver() {
        return state.isOver();
    }

    boolean isOwnOpen() {
        return state.isOwnOpen();
    }

    boolean isPeerOpen() {
        return state.isPeerOpen();
    }

    /** False if that can't happen any more. */
    boolean move(StreamState.Event event) {
        StreamState to = StreamState.next(state, event);
        state = to == null ? state : to;
        return to != null;
    }

    /** Our side has ended. */
    void ownEnded() {
        connection.streams().ownEnded(this);
    }

    /** Can the peer end its side with what it was granted? True if it has. */
    boolean isRestGranted() {
        return input == null || !isPeerOpen() || input.isRestGranted();
    }

    /** Is its exchange over? */
    boolean isLeft() {
        return left;
    }

    /** Its exchange is over. False if it was. */
    boolean leave() {
        boolean first = !left;
        left = true;
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

    /** The fields behind what the peer has sent, once that has ended. */
    public final @Nullable Headers trailers() {
        return input == null ? null : input.trailers();
    }

    // ---- the end

    /** Reset by either side, or the connection is closed. Any number of times, without a lock. */
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

    /** Nothing more comes. */
    abstract void failInput(StreamInput from, Throwable why);

    /** Tells whoever has it. Once, without a lock. */
    abstract void onLost(Throwable why);

    /** Why it was lost; null if it was not. */
    final synchronized @Nullable Throwable lostBy() {
        return lostBy;
    }

    /** Why nothing can be sent any more. */
    final synchronized Throwable failure() {
        return lostBy == null ? new IOException("the stream has ended") : lostBy;
    }

    /** Does the peer cause work by it? Then those that it resets are counted. */
    abstract boolean isPeersRequest();

    /** Can its body come now? */
    boolean mayHaveBody() {
        return true;
    }

    /** Its exchange is over. Once, without a lock. */
    void onLeft() {}

    /** Nobody reads the body any more. */
    void discard() {
        if (input != null) {
            input.discard();
        }
    }

    /** Its exchange has ended it, and wants to hear nothing more. */
    void over() {
        discard();
    }

    /** The connection is to end. */
    abstract void drain();

    /** Gives up what the peer lets wait too long. True if something waits for it still. */
    abstract boolean sweep(long now);

    /** What it is on. */
    public Channel channel() {
        return connection.channel();
    }
}
