package io.millrace.exchange;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.AtomicField;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response: checks the order of its pieces, and passes them through the wrappers to the stream. See {@link
 * ResponseState} for the states.
 *
 * <p><b>Threads.</b> Written by the owner of the exchange, or inside a completion, never by two threads at once. {@link
 * #done} runs on the thread that finished sending. Plain fields are published by the stream and the state.
 */
final class ExchangeOutput implements ResponseSink, Completion {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", ResponseState.class);

    private final Exchange exchange;
    private final HttpStream stream;
    private final ResponseHead head = new ResponseHead();
    private volatile ResponseState state = ResponseState.OPEN;
    private volatile @Nullable Throwable failure;
    private @Nullable BodySink wrapped;
    private @Nullable BodyCollector collector;

    /** The completion of the piece that is being sent. */
    private Completion waiting = Completion.IGNORE;

    private boolean headPassed;
    private long bytesInFlight;
    private long bytesSent;
    private boolean anythingSent;

    ExchangeOutput(Exchange exchange, HttpStream stream) {
        this.exchange = exchange;
        this.stream = stream;
    }

    ResponseHead head() {
        return head;
    }

    ResponseState state() {
        return state;
    }

    @Override
    public boolean isCommitted() {
        return state != ResponseState.OPEN;
    }

    /** Why the response failed; null if it did not. */
    @Nullable
    Throwable failure() {
        return state == ResponseState.FAILED ? failure : null;
    }

    /** The number of bytes of the body that were sent. */
    long bytesSent() {
        return bytesSent;
    }

    /** False while the client may have received nothing of this response. */
    boolean isAnythingSent() {
        return anythingSent;
    }

    @Override
    public void wrap(UnaryOperator<BodySink> wrapper) {
        requireUncommitted("its body cannot be wrapped any more");
        BodySink inner = wrapped;
        wrapped = wrapper.apply(inner == null ? this::pass : inner);
    }

    @Override
    public boolean inform(int status, Headers headers) {
        requireUncommitted("an interim response cannot be sent any more");
        if (exchange.request().version() == HttpVersion.HTTP_1_0) {
            return false;
        }
        stream.inform(status, headers, Completion.IGNORE);
        return true;
    }

    @Override
    public void announceLength(long bytes) {
        boolean unknown = !isCommitted() && head.contentLength() < 0 && head.trailers() == null;
        boolean representation =
                head.status() != Status.NOT_MODIFIED; // Content-Length would be that of a 200 response (RFC 9110, 8.6)
        if (unknown
                && representation
                && (bytes > 0 || !exchange.request().method().equals("HEAD"))) {
            head.contentLength(bytes);
        }
    }

    @Override
    public @Nullable BodyCollector collector() {
        return collector;
    }

    @Override
    public void collect(BodyCollector first) {
        if (collector != null) {
            throw new IllegalStateException("the response is collected already, by a "
                    + collector.getClass().getName());
        }
        collector = first;
        if (exchange.isEnded()) {
            first.discard();
        }
    }

    private void requireUncommitted(String consequence) {
        if (isCommitted()) {
            throw new IllegalStateException("the response is committed; " + consequence);
        }
    }

    /** Drops written but unsent bytes, and the wrappers, which belong to the replaced response. */
    void drop() {
        wrapped = null;
        discard();
    }

    /** Drops buffered but unsent bytes. Thread-safe. */
    void discard() {
        if (collector != null) {
            collector.discard();
        }
    }

    @Override
    public void write(Payload piece, boolean last, Completion completion) {
        ResponseState.Event event = last ? ResponseState.Event.LAST : ResponseState.Event.PIECE;
        if (move(event) == ResponseState.FAILED) {
            completion.done(new ClientClosedException(failure));
            return;
        }
        send(piece, last, completion);
    }

    /** Called when the last handler has returned: ends the body. */
    void end() {
        if (collector != null && collector.closeIfUsed()) {
            return;
        }
        announceLength(0);
        ResponseState from = move(ResponseState.Event.END);
        if (from == ResponseState.OPEN || from == ResponseState.STREAMING) {
            send(Payload.NOTHING, true, Completion.IGNORE);
        }
    }

    /** Makes the response fail. Thread-safe. False if it was settled before. */
    boolean fail(Throwable cause) {
        ResponseState from = move(ResponseState.Event.FAIL, cause);
        return !from.isSettled();
    }

    /** Records that the response is the switch to another protocol. */
    void switched() {
        move(ResponseState.Event.LAST);
        move(ResponseState.Event.SENT);
        anythingSent = true;
    }

    /** Called when the current piece was sent or has failed, on the thread that finished sending. */
    @Override
    public void done(@Nullable Throwable thrown) {
        Completion written = waiting;
        waiting = Completion.IGNORE;
        if (thrown == null) {
            bytesSent += bytesInFlight;
            bytesInFlight = 0;
            anythingSent = true;
        }
        ResponseState from = thrown == null ? move(ResponseState.Event.SENT) : move(ResponseState.Event.FAIL, thrown);
        try {
            written.done(thrown);
        } finally {
            if (from == ResponseState.DRAINING && thrown == null) {
                send(Payload.NOTHING, true, Completion.IGNORE);
            } else {
                exchange.settled();
            }
        }
    }

    private void send(Payload piece, boolean last, Completion completion) {
        waiting = completion;
        BodySink first = wrapped;
        if (first == null) {
            pass(piece, last, this);
        } else {
            first.write(piece, last, this);
        }
    }

    /** Passes a piece to the stream. Called by the last wrapper. */
    private void pass(Payload piece, boolean last, Completion completion) {
        ResponseHead first = headPassed ? null : head;
        if (first != null) {
            headPassed = true;
            exchange.identify(first);
        }
        bytesInFlight += piece.remaining();
        stream.send(first, piece, last, completion);
    }

    private ResponseState move(ResponseState.Event event, Throwable cause) {
        if (!state.isSettled()) {
            failure = cause;
        }
        return move(event);
    }

    /** Makes the transition. Returns the state before it. */
    private ResponseState move(ResponseState.Event event) {
        while (true) {
            ResponseState from = state;
            if (STATE.compareAndSet(this, from, ResponseState.next(from, event))) {
                return from;
            }
        }
    }
}
