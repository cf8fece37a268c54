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
 * Sends a request's body: a packet for each time the server asks ({@link UploadState}). A piece is held until as much was asked for, so
 * a server that does not ask slows whoever sends.
 *
 * <p><b>Threads.</b> One offers pieces, one asks; whoever moves the state does what it stands for.
 */
final class AjpUpload {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", UploadState.class);

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final Connection connection;
    private final Consumer<UploadState> onSent;
    private final long length;
    private final int mostData;
    private volatile UploadState state;

    /** What was asked for last; for the first packet, that is as much as it can hold. */
    private volatile int wanted;

    // the sender's; those of a piece are read by whoever sends it
    private long offered;
    private ByteBuffer piece = NOTHING;
    private boolean last;
    private Completion completion = Completion.IGNORE;

    /** Written before the connection is given on. */
    private volatile boolean reused;

    /**
     * The head is about to be sent.
     *
     * @param length of the body; 0 if there is none, -1 if it is not known
     * @param onSent called with COMPLETE when all was sent, and with REUSABLE when a packet was that the response has overtaken
     */
    AjpUpload(Connection connection, long length, int packetSize, Consumer<UploadState> onSent) {
        this.connection = connection;
        this.length = length;
        this.onSent = onSent;
        mostData = packetSize - AjpBody.OVERHEAD;
        wanted = mostData;
        last = length == 0;
        state = length > 0 ? UploadState.SENDING_ASKED : UploadState.SENDING;
    }

    /** The head is written. */
    void headSent() {
        sent();
    }

    /** The next piece, once the head is sent. */
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
            giveUp();
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

    /** The server asks for so many octets. False: it must not. */
    boolean ask(int most) {
        wanted = Math.min(most, mostData);
        UploadState now = moveIfAllowed(Event.ASK);
        if (now == UploadState.SENDING || now == UploadState.ENDING) {
            write();
        }
        return now != null;
    }

    /** Does the server wait for what is not here? */
    boolean isAwaited() {
        return state == UploadState.ASKED;
    }

    /** The next packet of the piece; if there is none, that without data. */
    private void write() {
        int size = Math.min(wanted, piece.remaining());
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

    /** A packet was written, or the head. */
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
            giveUp();
        }
    }

    private Completion takeCompletion() {
        Completion done = completion;
        completion = Completion.IGNORE;
        piece = NOTHING;
        return done;
    }

    /** The rest of the piece will not be sent. */
    private void giveUp() {
        takeCompletion().done(over());
    }

    private static IOException over() {
        return new IOException("the request has ended");
    }

    /** The server has ended its response. Where that leads. */
    UploadState answered(boolean reuse) {
        reused = reuse;
        end(Event.ANSWERED);
        return state;
    }

    /** Is the connection to take the next request? */
    boolean isReused() {
        return reused;
    }

    /** Gives up. False if it was over. */
    boolean cut() {
        return !end(Event.CUT).isOver();
    }

    /** Returns the state before. */
    private UploadState end(Event event) {
        while (true) {
            UploadState from = state;
            if (STATE.compareAndSet(this, from, allowed(from, event))) {
                if (from == UploadState.OFFERED) {
                    giveUp();
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

    /** Null if it is not. */
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
