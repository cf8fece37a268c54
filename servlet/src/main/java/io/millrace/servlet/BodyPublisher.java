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
 * A request's body as a stream of buffers, read without blocking as they are asked for, for those who would rather not
 * write a {@link ReadListener}. For asynchronous requests: call {@code startAsync} before {@link #subscribe}. It takes the
 * stream's ReadListener, and so one subscriber: others get {@code onError} with an IllegalStateException. Each buffer is
 * the subscriber's own.
 *
 * <p><b>Threads.</b> Signals come one after the other, on the container's threads or on that which calls {@code request}. An
 * error of the connection comes as {@code onError}.
 */
public final class BodyPublisher implements Flow.Publisher<ByteBuffer> {

    private static final Logger LOG = Logger.getLogger(BodyPublisher.class);
    private static final int PIECE = 16 * 1024;

    private final ServletInputStream in;
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Publishes a request's body, of which nothing has been read. */
    public BodyPublisher(ServletInputStream in) {
        this.in = Objects.requireNonNull(in);
    }

    /**
     * Begins to read when the subscriber asks.
     *
     * @throws IllegalStateException if the request is not asynchronous, or has a ReadListener already
     */
    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        Objects.requireNonNull(subscriber);
        if (!taken.compareAndSet(false, true)) {
            subscriber.onSubscribe(new Refused());
            subscriber.onError(
                    new IllegalStateException("a request's body can be read once; it has a subscriber already"));
            return;
        }
        Reading reading = new Reading(in, subscriber);
        subscriber.onSubscribe(reading);
        in.setReadListener(reading);
    }

    /** Nothing will come. */
    private static final class Refused implements Flow.Subscription {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    }

    /** Reads as much as was asked for. Of all threads that come to do so one does, for all. */
    private static final class Reading implements Flow.Subscription, ReadListener {

        private final ServletInputStream in;
        /** Null after the last signal: the request may outlive it by far (Reactive Streams, 3.13). Of the thread that reads. */
        private Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;

        private final AtomicLong asked = new AtomicLong();
        private final AtomicInteger rounds = new AtomicInteger();
        private volatile boolean listening;
        private volatile boolean finished;
        private volatile @Nullable Throwable failure;

        /** Nothing more is to be signalled. Of the thread that reads. */
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
                asked.updateAndGet(before -> before + count < 0 ? Long.MAX_VALUE : before + count);
            }
            go();
        }

        @Override
        public void cancel() {
            cancelled = true;
            go();
        }

        @Override
        public void onDataAvailable() {
            listening = true;
            go();
        }

        @Override
        public void onAllDataRead() {
            finished = true;
            go();
        }

        @Override
        public void onError(Throwable thrown) {
            failure = thrown;
            go();
        }

        private void go() {
            if (rounds.getAndIncrement() > 0) {
                return; // the reading thread will look again
            }
            int seen = 1;
            do {
                round();
                seen = rounds.addAndGet(-seen);
            } while (seen > 0);
        }

        /**
         * Throws nothing: who reads would count as reading for ever, and the subscriber would hear nothing more. What the
         * subscriber throws, though it must not (Reactive Streams, 2.13), ends the subscription, and it is told so.
         */
        private void round() {
            try {
                // before the container's first call nothing may be read: the servlet may still be on the stack
                while (listening && !isOver() && asked.get() > 0 && in.isReady()) {
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
                asked.updateAndGet(before -> before == Long.MAX_VALUE ? before : before - 1);
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
