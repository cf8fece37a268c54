package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientRequest;
import io.millrace.client.ClientScheme;
import io.millrace.client.ClientSession;
import io.millrace.client.Destination;
import io.millrace.client.PoolLimits;
import io.millrace.client.SessionPool;
import io.millrace.handler.Responses;
import io.millrace.http.Headers;
import io.millrace.io.Dialer;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import io.millrace.testkit.ClientTranscript;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.TransportHarness;
import io.millrace.testkit.Transports;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool of multiplexed connections. It … */
@Timeout(60)
final class SharedConnectionsTest {

    private static final Duration LONG = Duration.ofSeconds(50);
    private static final ClientScheme SCHEME = ClientScheme.of("h2c", "HTTP/2", 80, false);

    private final WorkerPool workers = new WorkerPool("test-workers", 2, 0);
    private final TransportHarness harness;
    private final HeldDialer dialer;

    SharedConnectionsTest() throws IOException {
        harness = new TransportHarness(Transports.provider(Transports.byDefault()));
        dialer = new HeldDialer(harness.dialer());
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
        workers.close();
    }

    /** Begins to connect on command of the test. */
    private static final class HeldDialer implements Dialer {

        private final Dialer dialer;
        private final Queue<Runnable> held = new ArrayDeque<>();
        private boolean holding;

        HeldDialer(Dialer dialer) {
            this.dialer = dialer;
        }

        synchronized void hold() {
            holding = true;
        }

        void proceed() {
            List<Runnable> all;
            synchronized (this) {
                holding = false;
                all = List.copyOf(held);
                held.clear();
            }
            all.forEach(Runnable::run);
        }

        @Override
        public Dial connect(SocketAddress to, Duration timeout, Listener listener) {
            synchronized (this) {
                if (holding) {
                    held.add(() -> dialer.connect(to, timeout, listener));
                    return () -> {};
                }
            }
            return dialer.connect(to, timeout, listener);
        }

        @Override
        public int connections() {
            return dialer.connections();
        }

        @Override
        public CompletionStage<Void> stop(Duration grace) {
            return dialer.stop(grace);
        }
    }

    private static final class Call implements SessionPool.Waiter {

        private final ClientTranscript transcript = new ClientTranscript();
        private final CompletableFuture<ClientException> failure = new CompletableFuture<>();

        @Override
        public void onSession(ClientSession session) {
            ClientRequest request = new ClientRequest("GET", "/", new Headers().add("Host", "x"), 0, null);
            assertNotNull(session.start(request, transcript));
        }

        @Override
        public void onFailed(ClientException thrown) {
            failure.complete(thrown);
        }
    }

    private static List<Call> calls(SessionPool pool, int count) {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(new Call());
            pool.acquire(calls.get(i));
        }
        return calls;
    }

    private static void assertAnswered(List<Call> calls) throws Exception {
        for (Call each : calls) {
            assertEquals("200[2](ok)END", each.transcript.await());
        }
    }

    private Server server(int streams) throws IOException {
        Settings options = Settings.DEFAULTS.with(MuxOptions.MAX_CONCURRENT_STREAMS, streams);
        return Server.builder()
                .transport(Transports.provider(Transports.byDefault()))
                .connector(Connector.builder()
                        .transport(Transports.byDefault())
                        .address("127.0.0.1")
                        .port(0)
                        .protocols(List.of(new Http2Protocol(options, "http")))
                        .build())
                .handler(exchange -> Responses.text(exchange, 200, "ok"))
                .start();
    }

    private SessionPool pool(Server server, int connections) {
        return new SessionPool(
                new Destination(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), null),
                new Http2ClientProvider().create(SCHEME, Settings.DEFAULTS, LONG, LONG),
                new PoolLimits(connections, 0, 100, LONG, LONG, LONG),
                dialer,
                workers,
                harness.timers());
    }

    @Test
    void letsAsManyWaitForAConnectionAsAllWillCarry() throws Exception {
        Server server = server(100);
        try {
            dialer.hold();
            SessionPool pool = pool(server, 3);
            List<Call> calls = calls(pool, 301);
            ClientException thrown = Deadline.await(calls(pool, 1).get(0).failure);
            assertEquals(Reason.TOO_MANY_WAITING, thrown.reason());
            dialer.proceed();
            assertAnswered(calls);
        } finally {
            server.stop(Duration.ZERO);
        }
    }

    @Test
    void expectsOfANewConnectionWhatTheLastHasAllowed() throws Exception {
        Server server = server(10);
        try {
            SessionPool pool = pool(server, 2);
            assertAnswered(calls(pool, 1));
            Deadline.await("the server's limit", () -> dialer.connections() == 1 && pool.idle() == 1);
            dialer.hold();
            List<Call> calls = calls(pool, 20); // ten of them require another connection
            dialer.proceed();
            assertAnswered(calls); // none of them is rejected
        } finally {
            server.stop(Duration.ZERO);
        }
    }
}
