package io.millrace.servlet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A request's body as a {@code Flow.Publisher} of buffers, read without blocking: an alternative to a {@link ReadListener}.
 * The request must be asynchronous: call {@code startAsync} before {@link #subscribe}. The publisher registers the stream's
 * only ReadListener, so it accepts one subscriber: any other receives {@code onError} with an IllegalStateException. A buffer
 * has at most 16 KiB and belongs to the subscriber.
 *
 * <p><b>Threads.</b> Signals are serial. They are delivered on threads of the container, or on the thread that calls {@code
 * request}. If the connection fails, the subscriber receives {@code onError}.
 */
public final class BodyPublisher implements Flow.Publisher<ByteBuffer> {

    private static final Logger LOG = Logger.getLogger(BodyPublisher.class);
    private static final int PIECE = 16 * 1024;

    private final ServletInputStream in;
    private final AtomicBoolean taken = new AtomicBoolean();

    /**
     * Creates a publisher of a request's body.
     *
     * @param in the request's input stream, of which nothing has been read
     */
    public BodyPublisher(ServletInputStream in) {
        this.in = Objects.requireNonNull(in);
    }

    /**
     * Registers the subscriber. Reading begins when it requests buffers.
     *
     * @throws IllegalStateException if the request is not asynchronous, or has a ReadListener already
     */
    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        Objects.requireNonNull(subscriber);
        if (!taken.compareAndSet(false, true)) {
            subscriber.onSubscribe(new Refused());
            subscriber.onError(new IllegalStateException(
                    "the request body already has a subscriber; it can be read only once, so subscribe only once"));
            return;
        }
        Reading reading = new Reading(in, subscriber);
        subscriber.onSubscribe(reading);
        in.setReadListener(reading);
    }

    /** The subscription of a rejected subscriber: it delivers nothing. */
    private static final class Refused implements Flow.Subscription {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    }

    /** Reads as many buffers as were requested. If several threads call it, one reads and signals for all of them. */
    private static final class Reading implements Flow.Subscription, ReadListener {

        private final ServletInputStream in;
        /**
         * Null after the last signal, so that a long-lived request does not retain the subscriber (Reactive Streams, 3.13).
         * Confined to the reading thread.
         */
        private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;

        private final AtomicLong demand = new AtomicLong();
        private final AtomicInteger rounds = new AtomicInteger();
        private volatile boolean listening;
        private volatile boolean finished;
        private volatile @Nullable Throwable failure;

        /** No further signal may be delivered. Confined to the reading thread. */
        private boolean over;

        private volatile boolean cancelled;

        Reading(ServletInputStream in, Flow.Subscriber<? super ByteBuffer> subscriber) {
            this.in = in;
            this.subscriber = subscriber;
        }

        @Override
        public void request(long count) {
            if (count <= 0) {
                failure = new IllegalArgumentException(
                        "request(" + count + "): expected at least 1 (Reactive Streams, 3.9)");
            } else {
                demand.updateAndGet(before -> before + count < 0 ? Long.MAX_VALUE : before + count);
            }
            drain();
        }

        @Override
        public void cancel() {
            cancelled = true;
            drain();
        }

        @Override
        public void onDataAvailable() {
            listening = true;
            drain();
        }

        @Override
        public void onAllDataRead() {
            finished = true;
            drain();
        }

        @Override
        public void onError(Throwable thrown) {
            failure = thrown;
            drain();
        }

        private void drain() {
            if (rounds.getAndIncrement() > 0) {
                return; // the reading thread makes another round
            }
            int seen = 1;
            do {
                round();
                seen = rounds.addAndGet(-seen);
            } while (seen > 0);
        }

        /**
         * Throws nothing: otherwise {@code rounds} would stay above zero and no thread would read again. If the subscriber
         * throws, which it must not (Reactive Streams, 2.13), the subscription ends and the subscriber receives onError.
         */
        private void round() {
            try {
                // nothing may be read before the container's first call: the servlet's service method may still be
                // running
                while (listening && !isOver() && demand.get() > 0 && in.isReady()) {
                    read();
                }
            } catch (Throwable thrown) {
                failure = thrown;
            }
            signalEnd();
        }

        private boolean isOver() {
            return over || cancelled || failure != null || finished;
        }

        private void read() throws IOException {
            byte[] piece = new byte[PIECE];
            int count = in.read(piece);
            if (count > 0) {
                demand.updateAndGet(before -> before == Long.MAX_VALUE ? before : before - 1);
                Objects.requireNonNull(subscriber).onNext(ByteBuffer.wrap(piece, 0, count));
            }
        }

        private void signalEnd() {
            Throwable thrown = failure;
            Flow.Subscriber<? super ByteBuffer> last = subscriber;
            if (cancelled || thrown != null || finished) {
                over = true;
                subscriber = null;
            }
            if (cancelled || !over || last == null) {
                return;
            }
            try {
                if (thrown != null) {
                    last.onError(thrown);
                } else {
                    last.onComplete();
                }
            } catch (RuntimeException | Error broken) {
                LOG.debugf(
                        broken, "%s failed at its last signal", last.getClass().getName());
            }
        }
    }
}
