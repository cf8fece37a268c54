package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.http.TrailerSyntax;
import io.millrace.io.Completion;
import io.millrace.io.CompletionLoop;
import io.millrace.io.Payload;
import io.millrace.protocol.BodyRate;
import io.millrace.protocol.mux.StreamOutput.State.Event;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The output of a stream, a response or a client's request: the piece that is being sent, its completion, and the stream's
 * window. {@link MuxOutput} decides when it sends. Guarded by the connection's {@link MuxLock}, except {@link #complete}.
 *
 * <pre>
 * from              event  to
 * IDLE              HEAD   STREAMING   the exchange has sent the head
 * STREAMING         LAST   ENDING      and the last piece
 * ENDING            SENT   ENDED       which is in a batch
 * any but ENDED     FAIL   FAILED      reset by either side, or the connection is closed
 * ENDED             FAIL   ENDED
 * </pre>
 */
final class StreamOutput {

    enum State {
        IDLE,
        STREAMING,
        ENDING,
        ENDED,
        FAILED;

        enum Event {
            HEAD,
            LAST,
            SENT,
            FAIL
        }

        /** The next state; null if the event is illegal. */
        static @Nullable State next(State from, Event event) {
            return switch (event) {
                case HEAD -> from == IDLE ? STREAMING : null;
                case LAST -> from == STREAMING ? ENDING : null;
                case SENT -> from == ENDING ? ENDED : null;
                case FAIL -> from == ENDED ? ENDED : FAILED;
            };
        }
    }

    /** The result of an attempt to send. */
    enum Progress {
        /** The whole piece is in a batch. */
        DONE,
        /** A frame was sent, and there is more. */
        MORE,
        /** The stream's window is closed: {@link #awaitWindow}. */
        BLOCKED,
        /** The batch is full, or the connection's window is closed. */
        FULL
    }

    private static final ByteBuffer[] NOTHING = {};

    final FlowWindow window;
    private final int id;
    private final boolean isHead;
    private final CompletionLoop loop = new CompletionLoop();

    private State state = State.IDLE;
    private FrameWriter.@Nullable Opening head;
    private @Nullable Headers trailers;
    private ByteBuffer[] buffers = NOTHING;
    private int at;
    private long pending;

    /** The missing rest of the Content-Length; -1 if there is none. */
    private long announced = -1;

    private long contentLength = -1;
    private boolean bodiless;

    /** The end of our side is in a batch. */
    private boolean endSent;

    /** How fast the peer takes the body; null while it has not been waited for. */
    private @Nullable BodyRate rate;

    private @Nullable Completion completion;

    // the completion that will be called, and its argument
    private @Nullable Completion dueCompletion;
    private @Nullable Throwable dueFailure;

    /** The next in the list of outputs whose completions will be called. */
    @Nullable
    StreamOutput nextToComplete;

    /**
     * The output of a stream.
     *
     * @param window its initial window
     * @param method the method of the request
     */
    StreamOutput(int id, int window, String method) {
        this.id = id;
        this.window = new FlowWindow(window);
        isHead = method.equals(Method.HEAD);
    }

    // ---- called by the exchange

    /**
     * Sets the next piece of the response.
     *
     * @return false, without keeping the completion, if the stream has failed
     * @throws IllegalStateException if it is out of order, or longer than the Content-Length
     */
    boolean give(@Nullable ResponseHead first, Payload.Bytes body, boolean last, Completion done) {
        if (state == State.FAILED) {
            return false;
        }
        if (completion != null || (first == null) != (state == State.STREAMING)) {
            throw new IllegalStateException(
                    (first == null ? "a piece without a head" : "a head") + " was sent in state " + state);
        }
        long size = body.remaining();
        if (first != null) {
            state = next(Event.HEAD);
            begin(first, size, last);
        }
        if (!bodiless) {
            count(size);
            buffers = body.buffers();
            pending = size;
            at = 0;
        }
        if (last) {
            state = next(Event.LAST);
        }
        completion = done;
        return true;
    }

    /**
     * Sets the head of a request.
     *
     * @param length the Content-Length; -1 if there is none
     * @param last whether nothing follows
     * @param done called when it is in a batch
     */
    void give(FrameWriter.Opening first, long length, boolean last, Completion done) {
        state = next(Event.HEAD);
        head = first;
        announced = length;
        completion = done;
        if (last) {
            state = next(Event.LAST);
        }
    }

    /** Sets the trailer fields; ignored unless the length of the body is unknown. */
    void trail(Headers fields) {
        trailers = announced < 0 ? fields : null;
    }

    private void begin(ResponseHead first, long size, boolean last) {
        head = opening(first);
        int status = first.status();
        long length = first.contentLength();
        boolean trailed = first.trailers() != null;
        long known = length >= 0 || !last || trailed ? length : size;
        if (status == Status.RESET_CONTENT) {
            bodiless = true;
            contentLength = 0;
        } else if (Status.isBodiless(status)) {
            bodiless = true;
            contentLength = status == Status.NOT_MODIFIED ? length : -1;
        } else if (isHead) {
            bodiless = true;
            contentLength =
                    known > 0 || length == 0 ? known : -1; // an empty body may have been left out because of HEAD
        } else {
            contentLength = known;
            announced = known;
            trailers = known < 0 ? first.trailers() : null;
        }
    }

    private FrameWriter.Opening opening(ResponseHead first) {
        return (writer, length, end, to) -> writer.head(id, first, length, end, to);
    }

    private void count(long size) {
        if (announced < 0) {
            return;
        }
        announced -= size;
        if (announced < 0) {
            throw new IllegalStateException(
                    "the body has " + -announced + " bytes more than the Content-Length that was sent");
        }
    }

    /** Whether the body has ended before its Content-Length. */
    boolean isTooShort() {
        return state == State.ENDING && announced > 0;
    }

    /** Replaces a head that must not be sent, and drops the body. */
    void replaceHead(ResponseHead wrong, int status) {
        wrong.status(status); // for the access log
        head = opening(new ResponseHead().status(status));
        trailers = null;
        bodiless = true;
        contentLength = 0;
        pending = 0;
        buffers = NOTHING;
    }

    // ---- sending

    /** Whether the head has not been sent yet. */
    boolean hasHead() {
        return head != null;
    }

    /** Whether a part of the body has not been sent yet. */
    boolean hasBody() {
        return pending > 0;
    }

    /** Sends the head, and with it the end if nothing follows. */
    void sendHead(FrameWriter writer, Batch to) {
        FrameWriter.Opening first = head;
        if (first != null) {
            head = null;
            boolean end = bodiless || state == State.ENDING && pending == 0 && endFields() == null;
            first.write(writer, contentLength, end, to);
            endSent = end;
        }
    }

    /** Sends a frame of the body, or the end. Called after the head was sent. */
    Progress send(FrameWriter writer, FlowWindow connection, Batch to) {
        if (pending > 0) {
            int length = (int) Math.min(Math.min(pending, window.available()), writer.maxDataLength());
            if (length == 0) {
                return Progress.BLOCKED;
            }
            length = Math.min(length, connection.available());
            length = length == 0 ? 0 : Math.min(length, to.spaceForData(writer.dataHeadLength()));
            if (length == 0) {
                return Progress.FULL;
            }
            sendData(writer, length, to);
            connection.take(length);
        }
        if (pending > 0) {
            return Progress.MORE;
        }
        finish(writer, to);
        return Progress.DONE;
    }

    /** Called when the window has {@linkplain Progress#BLOCKED blocked} it. False if it is being waited for already. */
    boolean awaitWindow(Settings options) {
        if (!window.block()) {
            return false;
        }
        BodyRate known = rate;
        if (known == null) {
            known = BodyRate.ofDownloads(options, options.get(MuxOptions.STREAM_WRITE_TIMEOUT));
            rate = known;
        }
        known.begin();
        return true;
    }

    /** Called when the window may be open again: the peer is no longer waited for. */
    void noteWindow() {
        if (rate != null && !window.isBlocked()) {
            rate.end();
        }
    }

    /** Whether the peer has opened the window too slowly, so far. */
    boolean isTooSlow(long now) {
        return rate != null && rate.isOver(now);
    }

    private void sendData(FrameWriter writer, int length, Batch to) {
        window.take(length);
        if (rate != null) {
            rate.came(length);
        }
        pending -= length;
        boolean end = pending == 0 && state == State.ENDING && endFields() == null;
        writer.dataHead(id, length, end, to);
        copy(to.room(length), length);
        endSent = end;
    }

    private void copy(ByteBuffer to, int length) {
        int left = length;
        while (left > 0) {
            ByteBuffer from = buffers[at];
            int part = Math.min(left, from.remaining());
            to.put(to.position(), from, from.position(), part);
            to.position(to.position() + part);
            from.position(from.position() + part);
            left -= part;
            if (!from.hasRemaining()) {
                at++;
            }
        }
    }

    private void finish(FrameWriter writer, Batch to) {
        buffers = NOTHING;
        if (state == State.ENDING && !endSent) {
            Headers fields = endFields();
            if (fields != null) {
                writer.trailers(id, fields, to);
            } else {
                writer.dataHead(id, 0, true, to);
            }
            endSent = true;
        }
        if (state == State.ENDING) {
            state = next(Event.SENT);
        }
        complete(null);
    }

    /** The trailer fields to send; null if there are none. */
    private @Nullable Headers endFields() {
        Headers fields = trailers == null ? null : TrailerSyntax.allowed(trailers);
        return fields == null || fields.size() == 0 ? null : fields;
    }

    /** Whether the end of our side is in a batch. */
    boolean isEndSent() {
        return endSent;
    }

    /** Whether the complete message is in a batch. */
    boolean isEnded() {
        return state == State.ENDED;
    }

    /** Whether no head has been set yet. */
    boolean isIdle() {
        return state == State.IDLE;
    }

    /** Fails the piece that is being sent, and all later ones. True if that makes its completion due. */
    boolean fail(Throwable why) {
        state = next(Event.FAIL);
        head = null;
        pending = 0;
        buffers = NOTHING;
        window.unblock();
        return complete(why);
    }

    private boolean complete(@Nullable Throwable why) {
        if (completion == null) {
            return false;
        }
        dueCompletion = completion;
        dueFailure = why;
        completion = null;
        return true;
    }

    private State next(Event event) {
        State to = State.next(state, event);
        if (to == null) {
            throw new IllegalStateException(event + " in state " + state);
        }
        return to;
    }

    // ---- without the lock

    /** Calls the completion that is due. */
    void complete() {
        Completion due = dueCompletion;
        Throwable why = dueFailure;
        dueCompletion = null;
        dueFailure = null;
        if (due != null) {
            loop.run(due, why);
        }
    }
}
