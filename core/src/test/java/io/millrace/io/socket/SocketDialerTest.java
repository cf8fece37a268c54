package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.BufferPool;
import io.millrace.io.Connection;
import io.millrace.io.DialException;
import io.millrace.io.DialException.Reason;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A dialer, for a host of several addresses … */
@Timeout(60)
final class SocketDialerTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int PORT = 80;

    /** The outcome of attempts at an address. */
    private enum Answer {
        CONNECTS,
        REFUSES,
        REFUSES_AT_ONCE,
        THROWS,
        NONE
    }

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Timers timers = new Timers("dialer-test");
    private final Map<String, Answer> answers = new HashMap<>();
    private final List<String> tried = new ArrayList<>();
    private final List<String> abandoned = new ArrayList<>();
    private final BlockingQueue<Object> outcomes = new LinkedBlockingQueue<>();

    @AfterEach
    void end() {
        thread.shutdown();
        timers.close();
    }

    @Test
    void takesTheFirstThatConnects() throws Exception {
        answers.put("10.0.0.1", Answer.REFUSES);
        answers.put("10.0.0.2", Answer.THROWS);
        answers.put("10.0.0.3", Answer.CONNECTS);
        assertEquals("connected", dial("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"));
        assertEquals(List.of("10.0.0.1", "10.0.0.2", "10.0.0.3"), tried);
    }

    @Test
    void keepsNoAttemptThatFailsWithinTheCall() throws Exception {
        answers.put("10.0.0.1", Answer.REFUSES_AT_ONCE);
        answers.put("10.0.0.2", Answer.REFUSES_AT_ONCE);
        assertEquals(
                Reason.REFUSED,
                assertInstanceOf(DialException.class, dial("10.0.0.1", "10.0.0.2"))
                        .reason());
        assertEquals(List.of("10.0.0.1", "10.0.0.2"), tried);
        assertEquals(List.of(), abandoned);
    }

    @Test
    void triesTheNextOneWhileTheFirstDoesNotAnswer() throws Exception {
        answers.put("10.0.0.1", Answer.NONE);
        answers.put("10.0.0.2", Answer.CONNECTS);
        assertEquals("connected", dial("10.0.0.1", "10.0.0.2"));
        assertEquals(List.of("10.0.0.1"), abandoned);
    }

    @Test
    void failsAsTheFirstDidWhenAllFail() throws Exception {
        answers.put("10.0.0.1", Answer.REFUSES);
        answers.put("10.0.0.2", Answer.THROWS);
        DialException failure = assertInstanceOf(DialException.class, dial("10.0.0.1", "10.0.0.2"));
        assertEquals(Reason.REFUSED, failure.reason());
        assertTrue(String.valueOf(failure).contains("10.0.0.1:80"), failure.toString());
        assertEquals(1, failure.getSuppressed().length);
    }

    @Test
    void alternatesBetweenTheFamilies() throws Exception {
        List<InetAddress> order =
                HostResolver.alternating(addresses("fd00::1", "fd00::2", "fd00::3", "10.0.0.1", "10.0.0.2"));
        assertEquals(List.of(addresses("fd00::1", "10.0.0.1", "fd00::2", "10.0.0.2", "fd00::3")), order);
    }

    @Test
    void failsInTimeThoughTheNameServiceDoesNotAnswer() throws Exception {
        Object outcome = dial(new HostResolver(InetAddress::getAllByName, never -> {}), Duration.ofMillis(50));
        assertEquals(
                Reason.TIMED_OUT, assertInstanceOf(DialException.class, outcome).reason());
    }

    @Test
    void failsWhenNamesCannotBeResolvedForLackOfThreads() throws Exception {
        HostResolver resolver = new HostResolver(InetAddress::getAllByName, task -> {
            throw new OutOfMemoryError("planted by the test: unable to create native thread");
        });
        assertEquals(
                Reason.RESOURCES,
                assertInstanceOf(DialException.class, dial(resolver, LONG)).reason());
    }

    @Test
    void failsWhenTheNameServiceFails() throws Exception {
        HostResolver resolver = new HostResolver(
                host -> {
                    throw new NoClassDefFoundError("planted by the test");
                },
                thread);
        assertEquals(
                Reason.RESOURCES,
                assertInstanceOf(DialException.class, dial(resolver, LONG)).reason());
    }

    private Object dial(String... addresses) throws Exception {
        InetAddress[] all = addresses(addresses);
        return dial(new HostResolver(host -> all, thread), LONG);
    }

    private Object dial(HostResolver resolver, Duration timeout) throws Exception {
        TransportOptions options = TransportOptions.defaults("test", new BufferPool(1 << 20), timers);
        Dialer dialer = new SocketDialer<SocketChannel>(options, this::parts, resolver);
        dialer.connect(InetSocketAddress.createUnresolved("many.example", PORT), timeout, new Listener());
        Object outcome = outcomes.poll(20, TimeUnit.SECONDS);
        if (outcome == null) {
            throw new AssertionError("no outcome");
        }
        thread.submit(() -> {}).get(); // until the callback has returned
        return outcome;
    }

    private SocketDialer.Parts<SocketChannel, PolledConnection> parts(ConnectionOwner owner) {
        CompletionStage<Void> done = CompletableFuture.completedFuture(null);
        return new SocketDialer.Parts<SocketChannel, PolledConnection>(
                thread, this::attempt, new Adoption(), List.of(), () -> done);
    }

    private ConnectSource.Attempt attempt(SocketAddress to, ConnectSource.Outcome<? super SocketChannel> outcome)
            throws IOException {
        String host = ((InetSocketAddress) to).getAddress().getHostAddress();
        tried.add(host);
        switch (answers.getOrDefault(host, Answer.NONE)) {
            case CONNECTS -> {
                SocketChannel channel = SocketChannel.open();
                thread.execute(() -> outcome.connected(channel));
            }
            case REFUSES -> thread.execute(() -> outcome.failed(new java.net.ConnectException("Connection refused")));
            case REFUSES_AT_ONCE -> outcome.failed(new java.net.ConnectException("Connection refused"));
            case THROWS -> throw new java.net.SocketException("Network is unreachable");
            case NONE -> {}
        }
        return () -> abandoned.add(host);
    }

    private static InetAddress[] addresses(String... texts) {
        return Arrays.stream(texts).map(SocketDialerTest::address).toArray(InetAddress[]::new);
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Creates a connection for each socket. */
    private final class Adoption implements Adopter<SocketChannel> {

        @Override
        public void adopt(SocketChannel socket, Consumer<Connection> onOpen, Consumer<Throwable> onFailed) {
            try {
                socket.close();
            } catch (IOException impossible) {
                throw new AssertionError(impossible);
            }
            outcomes.add("connected");
        }
    }

    private final class Listener implements Dialer.Listener {

        @Override
        public void onConnected(Connection connection) {
            outcomes.add(connection);
        }

        @Override
        public void onFailed(DialException failure) {
            outcomes.add(failure);
        }
    }
}
