package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.CancelledKeyException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An acceptor … */
@Timeout(60)
final class AcceptorTest {

    private final Timers timers = new Timers("test-timers");
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        thread.shutdown();
        timers.close();
    }

    @Test
    void triesAgainAfterAnError() throws Exception {
        EmptySource source = new EmptySource(new OutOfMemoryError("planted by the test"));
        Acceptor acceptor = acceptor(source);
        acceptor.start();
        assertTrue(source.watchedTwice.await(30, TimeUnit.SECONDS));
        assertFalse(source.isClosed());
        acceptor.close();
        assertTrue(source.isClosed());
    }

    @Test
    void endsWhenItsWatcherHasEnded() throws Exception {
        EmptySource source = new EmptySource(new CancelledKeyException());
        acceptor(source).start();
        assertTrue(source.closed.await(30, TimeUnit.SECONDS));
    }

    private Acceptor acceptor(EmptySource source) {
        TransportOptions options = TransportOptions.defaults("test", new BufferPool(1 << 20), timers);
        return new Acceptor(source, options, thread, socket -> {});
    }

    /** A source without connections, whose first {@code watch} throws. */
    private static final class EmptySource implements AcceptSource<Closeable> {

        private final CountDownLatch watchedTwice = new CountDownLatch(2);
        private final CountDownLatch closed = new CountDownLatch(1);
        private final Throwable first;

        EmptySource(Throwable first) {
            this.first = first;
        }

        boolean isClosed() {
            return closed.getCount() == 0;
        }

        @Override
        public void watch(boolean wanted) {
            watchedTwice.countDown();
            if (watchedTwice.getCount() > 0) {
                if (first instanceof Error error) {
                    throw error;
                }
                throw (RuntimeException) first;
            }
        }

        @Override
        public @Nullable Closeable accept() throws IOException {
            return null;
        }

        @Override
        public void configure(Closeable socket) {
            // nothing to configure
        }

        @Override
        public SocketAddress address() {
            return new InetSocketAddress(0);
        }

        @Override
        public void open(Runnable onPending) {
            // no connection is pending
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }
}
