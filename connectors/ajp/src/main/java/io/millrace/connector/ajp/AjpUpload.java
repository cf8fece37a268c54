package io.millrace.connector.ajp;

import io.millrace.connector.ajp.UploadState.Event;
import io.millrace.io.AtomicField;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request's body, one packet for each request of the server ({@link UploadState}). A piece is kept until the server has
 * requested all of it, which is the back-pressure of a slow server.
 *
 * <p><b>Threads.</b> One thread offers pieces, another one processes the server's requests; the thread that changes the state
 * performs its action.
 */
final class AjpUpload {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", UploadState.class);

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final Connection connection;
    private final Consumer<UploadState> onSent;
    private final long length;
    private final int maxData;
    private volatile UploadState state;

    /** The octets that the server requested last; for the first packet, the most that it can contain. */
    private volatile int requested;

    // written by the sender; those of a piece are read by the thread that sends it
    private long offered;
    private ByteBuffer piece = NOTHING;
    private boolean last;
    private Completion completion = Completion.IGNORE;

    /** Written before the connection is reused. */
    private volatile boolean reused;

    /**
     * Creates the upload of a request whose head is about to be sent.
     *
     * @param length the length of the body; 0 if there is none, -1 if unknown
     * @param onSent called with COMPLETE when all was sent, or with REUSABLE when the packet in progress at the response's end was sent
     */
    AjpUpload(Connection connection, long length, int packetSize, Consumer<UploadState> onSent) {
        this.connection = connection;
        this.length = length;
        this.onSent = onSent;
        maxData = packetSize - AjpBody.OVERHEAD;
        requested = maxData;
        last = length == 0;
        state = length > 0 ? UploadState.SENDING_ASKED : UploadState.SENDING;
    }

    /** Called when the head has been written. */
    void headSent() {
        sent();
    }

    /** Sends the next piece. Called after the head was sent. */
    void send(ByteBuffer next, boolean isLast, Completion done) {
        offered += next.remaining();
        if (length >= 0 && (offered > length || isLast && offered < length)) {
            throw new IllegalStateException("the request's body is not as long as its Content-Length");
        }
        if (next.hasRemaining()) {
            offer(next, isLast, done);
        } else {
            UploadState now = isLast ? offerEnd() : state;
            done.done(now.isOver() ? over() : null);
        }
    }

    private void offer(ByteBuffer next, boolean isLast, Completion done) {
        piece = next;
        last = isLast;
        completion = done;
        UploadState now = move(Event.OFFER);
        if (now == UploadState.SENDING) {
            write();
        } else if (now.isOver()) {
            discardPiece();
        }
    }

    private UploadState offerEnd() {
        last = true;
        UploadState now = move(Event.OFFER_END);
        if (now == UploadState.ENDING) {
            write();
        } else if (now == UploadState.COMPLETE) {
            onSent.accept(now);
        }
        return now;
    }

    /** The server requests up to {@code size} octets. False if it must not. */
    boolean ask(int size) {
        requested = Math.min(size, maxData);
        UploadState now = moveIfAllowed(Event.ASK);
        if (now == UploadState.SENDING || now == UploadState.ENDING) {
            write();
        }
        return now != null;
    }

    /** Whether the server waits for a piece that has not been offered. */
    boolean isAwaited() {
        return state == UploadState.ASKED;
    }

    /** Writes the next packet of the piece; without a piece, the empty packet. */
    private void write() {
        int size = Math.min(requested, piece.remaining());
        Payload packet = size == 0
                ? Payload.of(ClientPackets.bodyEnd())
                : new Payload.Bytes(ClientPackets.bodyHead(size), piece.slice(piece.position(), size));
        connection.write(packet, failure -> {
            if (failure == null) {
                piece.position(piece.position() + size);
                sent();
            } else {
                takeCompletion().done(failure);
            }
        });
    }

    /** Called when a packet or the head has been written. */
    private void sent() {
        boolean more = piece.hasRemaining();
        Completion done = more ? completion : takeCompletion();
        UploadState now = move(more ? Event.SENT_PART : last ? Event.SENT_LAST : Event.SENT_PIECE);
        if (now == UploadState.SENDING || now == UploadState.ENDING) {
            write();
        } else if (now == UploadState.COMPLETE || now == UploadState.REUSABLE) {
            onSent.accept(now);
        }
        if (!more) {
            done.done(null);
        } else if (now.isOver()) {
            discardPiece();
        }
    }

    private Completion takeCompletion() {
        Completion done = completion;
        completion = Completion.IGNORE;
        piece = NOTHING;
        return done;
    }

    /** Fails the completion of a piece whose rest will not be sent. */
    private void discardPiece() {
        takeCompletion().done(over());
    }

    private static IOException over() {
        return new IOException("the request has ended");
    }

    /** The server has ended its response. Returns the new state. */
    UploadState answered(boolean reuse) {
        reused = reuse;
        end(Event.ANSWERED);
        return state;
    }

    /** Whether the connection may be used for the next request. */
    boolean isReused() {
        return reused;
    }

    /** Aborts the upload. False if it had ended already. */
    boolean cut() {
        return !end(Event.CUT).isOver();
    }

    /** Returns the previous state. */
    private UploadState end(Event event) {
        while (true) {
            UploadState from = state;
            if (STATE.compareAndSet(this, from, allowed(from, event))) {
                if (from == UploadState.OFFERED) {
                    discardPiece();
                }
                return from;
            }
        }
    }

    private UploadState move(Event event) {
        while (true) {
            UploadState from = state;
            UploadState to = allowed(from, event);
            if (STATE.compareAndSet(this, from, to)) {
                return to;
            }
        }
    }

    private static UploadState allowed(UploadState from, Event event) {
        UploadState to = UploadState.next(from, event);
        if (to == null) {
            throw new IllegalStateException("the request's body is " + from + "; " + event + " is not possible now");
        }
        return to;
    }

    /** Returns the new state; null if the event is not permitted. */
    private @Nullable UploadState moveIfAllowed(Event event) {
        while (true) {
            UploadState from = state;
            UploadState to = UploadState.next(from, event);
            if (to == null || STATE.compareAndSet(this, from, to)) {
                return to;
            }
        }
    }
}
