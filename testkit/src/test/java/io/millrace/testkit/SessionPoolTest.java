package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.client.Destination;
import io.millrace.client.PoolLimits;
import io.millrace.client.ResponseListener;
import io.millrace.client.SessionPool;
import io.millrace.http1.Http1Client;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.DialException;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsClientEngines;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A pool whose dialer, protocol and callers may throw anything. One connection may be open, and three requests wait for it. It … */
final class SessionPoolTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final SocketAddress ADDRESS = InetSocketAddress.createUnresolved("backend", 80);

    /** Made when they are thrown, as a JVM does. */
    @SuppressWarnings("UnusedVariable") // by name
    private static final List<Supplier<Throwable>> THROWN = List.of(
            () -> new IllegalStateException("scripted"),
            () -> new OutOfMemoryError("scripted"),
            () -> new NoClassDefFoundError("scripted"));

    private final ScriptedDialer dialer = new ScriptedDialer();
    private final ClientProtocol http = new Http1Client(Settings.DEFAULTS, LONG, LONG);
    private final SessionPool pool = pool(http, null);

    private SessionPool pool(ClientProtocol protocol, @Nullable TlsClientEngines tls) {
        return pool(protocol, new Destination(ADDRESS, tls), LONG);
    }

    private SessionPool pool(ClientProtocol protocol, Destination destination, Duration patience) {
        return new SessionPool(
                destination,
                protocol,
                new PoolLimits(1, 3, 100, patience, LONG, LONG),
                dialer,
                Runnable::run,
                new Timers("pool"));
    }

    /** Does with each dial what the test says next; connects when nothing is said. */
    private static final class ScriptedDialer implements Dialer {

        private final Deque<Consumer<Listener>> script = new ArrayDeque<>();
        private final List<ScriptedConnection> connections = new ArrayList<>();

        @Override
        public Dial connect(SocketAddress to, Duration timeout, Listener listener) {
            Consumer<Listener> next = script.poll();
            if (next == null) {
                connect(listener);
            } else {
                next.accept(listener);
            }
            return () -> {};
        }

        private void connect(Listener listener) {
            ScriptedConnection connection = new ScriptedConnection();
            connections.add(connection);
            listener.onConnected(connection);
        }

        @Override
        public int connections() {
            return connections.size();
        }

        @Override
        public CompletionStage<Void> stop(Duration grace) {
            return CompletableFuture.completedFuture(null);
        }
    }

    /** Learns all that it is told. */
    private static final class Caller implements SessionPool.Waiter {

        private final List<ClientSession> sessions = new ArrayList<>();
        private final List<ClientException> failures = new ArrayList<>();

        @Override
        public void onSession(ClientSession session) {
            sessions.add(session);
        }

        @Override
        public void onFailed(ClientException failure) {
            failures.add(failure);
        }

        @Override
        public ByteBuffer preface() {
            return ByteBuffer.allocate(1);
        }

        private void assertFailed(Reason reason, @Nullable Throwable cause) {
            assertEquals(List.of(), sessions);
            assertEquals(1, failures.size());
            ClientException failure = failures.get(0);
            assertEquals(reason, failure.reason());
            assertEquals(Processed.NO, failure.processed());
            assertSame(cause, failure.getCause());
        }
    }

    private static Caller ask(SessionPool pool) {
        Caller caller = new Caller();
        pool.acquire(caller);
        return caller;
    }

    private static void assertServes(SessionPool pool) {
        assertEquals(0, pool.connections());
        Caller caller = ask(pool);
        assertEquals(List.of(), caller.failures);
        pool.release(caller.sessions.get(0), null);
        assertEquals(1, pool.idle());
        pool.close();
        assertEquals(0, pool.connections());
    }

    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return (RuntimeException) thrown;
    }

    @ParameterizedTest
    @FieldSource("THROWN")
    void tellsWhatADialerThrows(Supplier<Throwable> kind) {
        Throwable thrown = kind.get();
        dialer.script.add(listener -> {
            throw unchecked(thrown);
        });
        ask(pool).assertFailed(Reason.INTERNAL, thrown);
        assertServes(pool);
    }

    @ParameterizedTest
    @FieldSource("THROWN")
    void tellsWhatAProtocolThrowsAndClosesTheConnection(Supplier<Throwable> kind) {
        Throwable thrown = kind.get();
        List<Throwable> once = new ArrayList<>(List.of(thrown));
        SessionPool failing = pool(
                (connection, listener) -> {
                    if (once.isEmpty()) {
                        return http.open(connection, listener);
                    }
                    throw unchecked(once.remove(0));
                },
                null);
        ask(failing).assertFailed(Reason.INTERNAL, thrown);
        assertTrue(dialer.connections.get(0).isClosed());
        assertServes(failing);
    }

    /** The session is made, and tells of its end itself. */
    @ParameterizedTest
    @FieldSource("THROWN")
    void countsAConnectionOffOnceThatAProtocolHasBegunWith(Supplier<Throwable> kind) {
        Throwable thrown = kind.get();
        List<Throwable> once = new ArrayList<>(List.of(thrown));
        SessionPool failing = pool(
                (connection, listener) -> {
                    ClientSession session = http.open(connection, listener);
                    if (once.isEmpty()) {
                        return session;
                    }
                    throw unchecked(once.remove(0));
                },
                null);
        ask(failing).assertFailed(Reason.INTERNAL, thrown);
        assertServes(failing);
    }

    @ParameterizedTest
    @FieldSource("THROWN")
    void tellsWhatTheEnginesOfTlsThrow(Supplier<Throwable> kind) {
        Throwable thrown = kind.get();
        SessionPool failing = pool(http, (host, port) -> {
            throw unchecked(thrown);
        });
        ask(failing).assertFailed(Reason.INTERNAL, thrown);
        assertTrue(dialer.connections.get(0).isClosed());
        assertEquals(0, failing.connections());
    }

    @ParameterizedTest
    @FieldSource("THROWN")
    void closesASessionWhoseCallerThrows(Supplier<Throwable> kind) {
        Throwable thrown = kind.get();
        List<ClientException> told = new ArrayList<>();
        pool.acquire(new SessionPool.Waiter() {
            @Override
            public void onSession(ClientSession session) {
                throw unchecked(thrown);
            }

            @Override
            public void onFailed(ClientException failure) {
                told.add(failure);
            }
        });
        assertEquals(1, told.size());
        assertSame(thrown, told.get(0).getCause());
        assertTrue(dialer.connections.get(0).isClosed());
        assertServes(pool);
    }

    @ParameterizedTest
    @FieldSource("THROWN")
    void servesTheNextInLineWhateverTheFirstThrows(Supplier<Throwable> kind) {
        Caller holder = ask(pool);
        pool.acquire(new SessionPool.Waiter() {
            @Override
            public void onSession(ClientSession session) {
                throw unchecked(kind.get());
            }

            @Override
            public void onFailed(ClientException failure) {
                throw unchecked(kind.get());
            }
        });
        Caller second = ask(pool);
        pool.release(holder.sessions.get(0), null);
        assertEquals(1, second.sessions.size());
        assertFalse(second.sessions.get(0).equals(holder.sessions.get(0)));
        assertEquals(1, pool.connections());
    }

    @Test
    void failsAllInLineWhenNoConnectionCanBeMade() {
        List<Dialer.Listener> begun = new ArrayList<>();
        dialer.script.add(begun::add);
        List<Caller> callers = List.of(ask(pool), ask(pool), ask(pool), ask(pool));
        DialException refused = new DialException(DialException.Reason.REFUSED, "peer:80", "refused", null);
        for (int i = 0; i < 3; i++) {
            dialer.script.add(listener -> listener.onFailed(refused));
        }
        begun.get(0).onFailed(refused);
        begun.get(0).onFailed(refused);
        callers.forEach(caller -> caller.assertFailed(Reason.DIAL, refused));
        assertServes(pool);
    }

    @Test
    void givesUpAPlaceInTheLine() {
        Caller holder = ask(pool);
        Caller gone = ask(pool);
        Caller next = ask(pool);
        assertTrue(pool.cancel(gone));
        assertFalse(pool.cancel(gone));
        assertFalse(pool.cancel(holder));
        pool.release(holder.sessions.get(0), null);
        assertEquals(List.of(), gone.sessions);
        assertEquals(List.of(), gone.failures);
        assertEquals(holder.sessions, next.sessions);
    }

    @Test
    void failsThoseInLineWhenItCloses() {
        Caller holder = ask(pool);
        Caller waiting = ask(pool);
        pool.close();
        waiting.assertFailed(Reason.ABORTED, null);
        ask(pool).assertFailed(Reason.ABORTED, null);
        pool.release(holder.sessions.get(0), null);
        assertNotNull(dialer.connections.get(0));
        assertTrue(dialer.connections.get(0).isClosed());
        assertEquals(0, pool.connections());
    }

    /** Says nothing of itself, for lack of memory. */
    private static final class Unsayable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("scripted");
        }
    }

    @Test
    void givesAPlaceBackWhoseFailureCannotBePutIntoWords() {
        Unsayable thrown = new Unsayable();
        dialer.script.add(listener -> {
            throw thrown;
        });
        ask(pool).assertFailed(Reason.INTERNAL, thrown);
        assertServes(pool);
    }

    @Test
    void replacesAConnectionWhoseFailureCanBeNeitherToldNorLogged() {
        SocketAddress unsayable = new SocketAddress() {

            private static final long serialVersionUID = 1L;

            @Override
            public String toString() {
                throw new OutOfMemoryError("scripted");
            }
        };
        SessionPool failing = pool(http, new Destination(unsayable, null), LONG);
        List<Dialer.Listener> begun = new ArrayList<>();
        dialer.script.add(begun::add);
        failing.acquire(new SessionPool.Waiter() {
            @Override
            public void onSession(ClientSession session) {}

            @Override
            public void onFailed(ClientException failure) {
                throw new IllegalStateException("scripted");
            }
        });
        Caller next = ask(failing);
        begun.get(0).onFailed(new DialException(DialException.Reason.REFUSED, "peer:80", "refused", null));
        assertEquals(1, next.sessions.size());
        assertEquals(1, failing.connections());
    }

    @Test
    void keepsASessionThatSaysWhatItTakesBeforeItIsOpen() {
        SessionPool single = pool(
                (connection, listener) -> {
                    ClientSession session = http.open(connection, listener);
                    listener.onLimit(session);
                    return session;
                },
                new Destination(ADDRESS, null, true),
                LONG);
        Caller caller = ask(single);
        assertEquals(List.of(), caller.failures);
        assertFalse(dialer.connections.get(0).isClosed());
        single.release(caller.sessions.get(0), null);
        assertTrue(dialer.connections.get(0).isClosed());
    }

    /** Does what the test says when it is asked something. */
    private static final class ScriptedSession implements ClientSession {

        private Runnable asked = () -> {};
        private int limit = 1;

        @Override
        public @Nullable ClientStream start(ClientRequest request, ResponseListener listener) {
            return null;
        }

        @Override
        public boolean isIdle() {
            asked.run();
            return true;
        }

        @Override
        public int limit() {
            return limit;
        }

        @Override
        public void close(@Nullable Throwable cause) {
            throw new OutOfMemoryError("scripted");
        }

        @Override
        public ConnectionInfo info() {
            throw new UnsupportedOperationException("nobody asks");
        }
    }

    @Test
    void tellsThoseInLineOfItsEndWhateverASessionThrows() {
        ScriptedSession session = new ScriptedSession();
        SessionPool closing = pool((connection, listener) -> session, null);
        closing.release(ask(closing).sessions.get(0), null);
        session.limit = 0;
        Caller waiting = ask(closing);
        closing.close();
        waiting.assertFailed(Reason.ABORTED, null);
    }

    /** Whoever gets a session as the deadline passes, and waits again, has the whole time again. */
    @Test
    void endsAPlaceInTheLineByItsOwnDeadlineOnly() throws Exception {
        Duration patience = Duration.ofMillis(50);
        ScriptedSession session = new ScriptedSession();
        SessionPool slow = pool((connection, listener) -> session, new Destination(ADDRESS, null), patience);
        ask(slow);
        CompletableFuture<Long> waited = new CompletableFuture<>();
        SessionPool.Waiter twice = new SessionPool.Waiter() {

            private long since;

            @Override
            public void onSession(ClientSession given) {
                since = System.nanoTime();
                slow.acquire(this);
            }

            @Override
            public void onFailed(ClientException failure) {
                waited.complete(System.nanoTime() - since);
            }
        };
        session.asked = () -> { // with the pool's lock, for which the timer waits
            session.asked = () -> {};
            slow.acquire(twice);
            Deadline.await("the deadline", SessionPoolTest::isTimerWithinThePool);
        };
        slow.release(session, null);
        assertTrue(Deadline.await(waited) >= patience.toNanos(), "the first deadline has ended the second place");
    }

    private static boolean isTimerWithinThePool() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey().getName().equals("pool"))
                .flatMap(each -> Stream.of(each.getValue()))
                .anyMatch(frame -> frame.getClassName().startsWith("io.millrace.client."));
    }
}
