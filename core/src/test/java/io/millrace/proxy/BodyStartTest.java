package io.millrace.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientStream;
import io.millrace.http.Headers;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Timers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the body of a request to a backend is sent. It … */
final class BodyStartTest {

    private static final ClientStream STREAM = new ClientStream() {
        @Override
        public void send(ByteBuffer piece, boolean last, Completion completion) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void trailers(Headers fields) {
            throw new UnsupportedOperationException();
        }

        @Override
        public @Nullable Chunk read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void awaitReadable(Runnable ready) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isRead() {
            return false;
        }

        @Override
        public @Nullable Headers trailers() {
            return null;
        }

        @Override
        public void abort(@Nullable Throwable cause) {}
    };

    private final Timers timers = new Timers("body-timers");
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final List<ClientStream> started = new ArrayList<>();

    private BodyStart body(boolean waits) {
        return new BodyStart(waits, timers, tasks::add, started::add);
    }

    @AfterEach
    void close() {
        timers.close();
    }

    private void isStarted(BodyStart body) {
        assertEquals(List.of(STREAM), started);
        assertTrue(body.isStarted());
        assertFalse(body.cancel());
    }

    @Test
    void startsWhenTheHeadWasSent() {
        BodyStart body = body(false);
        assertFalse(body.isStarted());
        body.headSent(STREAM);
        isStarted(body);
    }

    @Test
    void waitsForTheBackends100WhereTheClientDoes() {
        BodyStart body = body(true);
        body.headSent(STREAM);
        assertEquals(List.of(), started);
        body.proceed();
        isStarted(body);
    }

    /** The thread that has written the head may be slower than the one that reads. */
    @Test
    void startsAtOnceWhen100CameBeforeTheNotificationThatTheHeadWasSent() {
        BodyStart body = body(true);
        body.proceed();
        assertEquals(List.of(), started);
        body.headSent(STREAM);
        isStarted(body);
    }

    /** Another backend has the request then, and must get the body. */
    @Test
    void doesNotStartWhenTheNotificationComesAfterTheRequestWasGivenUp() {
        for (boolean waits : new boolean[] {false, true}) {
            BodyStart body = body(waits);
            assertTrue(body.cancel());
            body.headSent(STREAM);
            body.proceed();
        }
        assertEquals(List.of(), started);
    }

    @Test
    void doesNotStartAfterAFinalResponseInsteadOf100() {
        BodyStart body = body(true);
        body.headSent(STREAM);
        body.answered();
        body.proceed();
        assertEquals(List.of(), started);
        assertTrue(body.cancel());
    }

    /** A server may respond to the first octets of a request. */
    @Test
    void startsAfterAResponseThatCameBeforeTheNotification() {
        BodyStart body = body(false);
        body.answered();
        body.headSent(STREAM);
        isStarted(body);
    }

    /** Reading a body, and sending it, may block where a connection's thread may. */
    @Test
    void startsOnAWorkerWhenNo100CameForASecond() throws Exception {
        BodyStart body = body(true);
        body.headSent(STREAM);
        Runnable task = tasks.poll(20, TimeUnit.SECONDS);
        assertEquals(List.of(), started, "started on the timer thread");
        if (task != null) {
            task.run();
        }
        isStarted(body);
    }

    @Test
    void startsLaterWhenNoWorkerIsAvailable() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        BodyStart body = new BodyStart(
                true,
                timers,
                task -> {
                    if (attempts.getAndIncrement() == 0) {
                        throw new RejectedExecutionException("planted by the test");
                    }
                    tasks.add(task);
                },
                started::add);
        body.headSent(STREAM);
        Runnable task = tasks.poll(20, TimeUnit.SECONDS);
        if (task != null) {
            task.run();
        }
        isStarted(body);
    }

    @Test
    void aTimerThatFiresLateStartsNothing() throws Exception {
        BodyStart body = body(true);
        body.headSent(STREAM);
        Runnable task = tasks.poll(20, TimeUnit.SECONDS);
        assertTrue(body.cancel());
        if (task != null) {
            task.run();
        }
        assertEquals(List.of(), started);
    }
}
