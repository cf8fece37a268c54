package io.millrace.servlet;

import io.millrace.servlet.request.HttpServletResponseImpl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.servlet.AsyncContext;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Sends a stream of buffers as the body of an asynchronous request's response, and completes the request at its end, for
 * those who would rather not write a {@link WriteListener}, which it takes. The next buffer is asked for when it can be
 * written without waiting, so a slow client slows its publisher down.
 *
 * <p>If the publisher fails, the answer is 500, or, if the response has begun, the connection is closed: the client sees
 * that it is not whole. If the client is gone, the subscription is cancelled.
 *
 * <p><b>Threads.</b> Any, one signal at a time, as Flow asks.
 */
public final class BodySubscriber implements Flow.Subscriber<ByteBuffer> {

    private final AsyncContext async;
    private final ServletOutputStream out;
    /** A buffer was asked for and has not come. */
    private final AtomicBoolean asked = new AtomicBoolean();

    private volatile Flow.@Nullable Subscription subscription;

    /**
     * For a request that was made asynchronous.
     *
     * @throws IOException if the response has no output any more
     */
    public BodySubscriber(AsyncContext async) throws IOException {
        this.async = async;
        this.out = async.getResponse().getOutputStream();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        Objects.requireNonNull(given);
        if (subscription != null) {
            given.cancel();
            return;
        }
        subscription = given;
        out.setWriteListener(new Writing());
    }

    @Override
    public void onNext(ByteBuffer buffer) {
        Objects.requireNonNull(buffer);
        asked.set(false);
        try {
            write(buffer);
            if (out.isReady()) {
                ask();
            }
        } catch (IOException clientIsGone) {
            giveUp();
        }
    }

    private void write(ByteBuffer buffer) throws IOException {
        int count = buffer.remaining();
        if (buffer.hasArray()) {
            out.write(buffer.array(), buffer.arrayOffset() + buffer.position(), count);
            buffer.position(buffer.limit());
        } else {
            byte[] bytes = new byte[count];
            buffer.get(bytes);
            out.write(bytes);
        }
    }

    @Override
    public void onError(Throwable thrown) {
        Objects.requireNonNull(thrown);
        if (async.getResponse().isCommitted()) {
            HttpServletResponseImpl.of(async.getResponse()).abort(thrown);
        } else if (async.getResponse() instanceof HttpServletResponse response) {
            try {
                response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
            } catch (IOException | IllegalStateException tooLate) {
                HttpServletResponseImpl.of(response).abort(thrown);
            }
        }
        async.complete();
    }

    @Override
    public void onComplete() {
        async.complete();
    }

    private void ask() {
        Flow.Subscription from = subscription;
        if (from != null && asked.compareAndSet(false, true)) {
            from.request(1);
        }
    }

    private void giveUp() {
        Flow.Subscription from = subscription;
        if (from != null) {
            from.cancel();
        }
        async.complete();
    }

    /** What the container tells. */
    private final class Writing implements WriteListener {
        @Override
        public void onWritePossible() {
            ask();
        }

        @Override
        public void onError(Throwable thrown) {
            giveUp();
        }
    }
}
