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
 * A {@code Flow.Subscriber} that writes buffers to the response of an asynchronous request and completes the request after
 * the last one: an alternative to a {@link WriteListener}, of which it registers the only one. It requests one buffer at a
 * time, when that can be written without blocking: back-pressure from a slow client reaches the publisher.
 *
 * <p>If the publisher fails, the response is 500; if the response is already committed, it is aborted, so that the client
 * detects that it is incomplete. If the client disconnects, the subscription is cancelled and the request completed.
 *
 * <p><b>Threads.</b> Signals may come on any thread, but serially, as {@code Flow} requires.
 */
public final class BodySubscriber implements Flow.Subscriber<ByteBuffer> {

    private final AsyncContext async;
    private final ServletOutputStream out;
    /** A buffer has been requested and has not arrived yet. */
    private final AtomicBoolean requested = new AtomicBoolean();

    private volatile Flow.@Nullable Subscription subscription;

    /**
     * Creates a subscriber for the response of an asynchronous request.
     *
     * @param async returned by {@code startAsync}
     * @throws IOException if the response's output stream cannot be opened
     * @throws IllegalStateException if the application uses the response's writer, or the request has already completed
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
        requested.set(false);
        try {
            write(buffer);
            if (out.isReady()) {
                requestNext();
            }
        } catch (IOException connectionLost) {
            cancel();
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

    private void requestNext() {
        Flow.Subscription from = subscription;
        if (from != null && requested.compareAndSet(false, true)) {
            from.request(1);
        }
    }

    private void cancel() {
        Flow.Subscription from = subscription;
        if (from != null) {
            from.cancel();
        }
        async.complete();
    }

    /** The listener that the container notifies. */
    private final class Writing implements WriteListener {
        @Override
        public void onWritePossible() {
            requestNext();
        }

        @Override
        public void onError(Throwable thrown) {
            cancel();
        }
    }
}
