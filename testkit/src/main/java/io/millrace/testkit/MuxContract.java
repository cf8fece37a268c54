package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.ExchangeDispatcher;
import io.millrace.exchange.ExchangeOptions;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportProvider;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.mux.MuxContext;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.protocol.mux.MuxServerConnection;
import io.millrace.settings.Settings;
import io.millrace.testkit.MuxClient.Event;
import io.millrace.testkit.MuxClient.Kind;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every multiplexed protocol must do on every transport: streams do not delay each other, limits are respected, and
 * everything ends. The path selects the behaviour: {@code /download?SIZE}, {@code /upload}, {@code /hold}.
 */
@Timeout(120)
public abstract class MuxContract {

    private static final int FRAME = 16_000;
    private static final int LARGE = 1 << 30;

    private @Nullable TransportHarness harness;
    private final MuxContractServer server = new MuxContractServer();

    /** The transport. */
    protected abstract TransportProvider provider();

    /** The transport, bound with plain sockets or with TLS. */
    protected TransportHarness harness(TransportProvider provider) {
        return new TransportHarness(provider);
    }

    /** Opens a connection of the protocol; by default {@link PlainFrames}. */
    protected ConnectionHandler open(Settings options, Connection connection, Dispatcher dispatcher) {
        return new MuxServerConnection(
                new MuxContext(options),
                connection,
                null,
                dispatcher,
                new PlainFrames.Reader(),
                new PlainFrames.Writer());
    }

    /** A client of the protocol, which has sent its preface. */
    protected MuxClient client(RawClient connected) throws IOException {
        return new PlainMuxClient(connected);
    }

    @BeforeEach
    void openHarness() {
        harness = harness(provider());
    }

    /** Also checks that every buffer was released. */
    @AfterEach
    void closeHarness() throws Exception {
        harness().close();
    }

    private TransportHarness harness() {
        if (harness == null) {
            throw new IllegalStateException("no test is running");
        }
        return harness;
    }

    private Transport serve(Settings options, int threads) throws IOException {
        return serve(options, server.on(harness().workers(threads)));
    }

    private Transport serve(Settings options, Dispatcher dispatcher) throws IOException {
        return harness().accept(connection -> {
            ConnectionHandler handler = open(options, connection, dispatcher);
            connection.install(handler);
            handler.onReadable();
        });
    }

    private MuxClient connect() throws IOException {
        return client(harness().connect());
    }

    @Test
    @DiffersByTransport
    void aBlockedStreamBlocksNoOther() throws Exception {
        serve(Settings.DEFAULTS, 4);
        try (MuxClient client = connect()) {
            client.credit(0, LARGE);
            client.request(1, "GET", "/download?1000000", true);
            assertEquals(65_535, receive(client, Map.of(1, 65_535)).get(1));

            client.request(3, "GET", "/download?60000", true);
            assertEquals(60_000, receive(client, Map.of(3, 60_000)).get(3));

            client.credit(1, LARGE);
            assertEquals(
                    1_000_000 - 65_535,
                    receive(client, Map.of(1, 1_000_000 - 65_535)).get(1));
        }
    }

    @Test
    void twoDownloadsShareTheConnection() throws Exception {
        serve(Settings.DEFAULTS, 4);
        try (MuxClient client = connect()) {
            client.initialWindow(LARGE);
            client.request(1, "GET", "/download?8000000", true);
            client.request(3, "GET", "/download?8000000", true);
            Map<Integer, Integer> got = new HashMap<>();
            int heads = 0;
            while (heads < 2
                    || got.values().stream().mapToInt(Integer::intValue).sum() < 65_535) {
                Event event = next(client);
                heads += event.kind() == Kind.HEAD ? 1 : 0;
                count(event, got);
            }
            client.credit(0, LARGE); // both streams wait for it

            Event event = next(client);
            count(event, got);
            while (!event.end()) {
                event = next(client);
                count(event, got);
            }

            int other = got.getOrDefault(4 - event.id(), 0);
            assertTrue(other > 6_400_000, "only " + other + " octets when the first had all");
        }
    }

    private static void count(Event event, Map<Integer, Integer> got) {
        if (event.kind() == Kind.DATA) {
            got.merge(event.id(), event.number(), Integer::sum);
        }
    }

    @Test
    void aThousandStreamsThatWaitNeedNoThread() throws Exception {
        serve(Settings.DEFAULTS.with(MuxOptions.MAX_CONCURRENT_STREAMS, 1000), 4);
        try (MuxClient client = connect()) {
            client.credit(0, LARGE);
            client.request(1, "GET", "/hold", true);
            Deadline.await("the first", () -> server.held().size() == 1);
            int before = Thread.activeCount();
            for (int i = 1; i < 1000; i++) {
                client.request(2 * i + 1, "GET", "/hold", true);
            }
            Deadline.await("all to be here", () -> server.held().size() == 1000);
            assertTrue(Thread.activeCount() <= before + 8, Thread.activeCount() + " threads, before " + before);

            for (HttpStream each : server.held()) {
                MuxContractServer.respond(each, 100);
            }

            Set<Integer> ended = new HashSet<>();
            while (ended.size() < 1000) {
                Event event = next(client);
                if (event.end()) {
                    assertTrue(ended.add(event.id()));
                }
            }
        }
    }

    @Test
    void moreUploadsThanThreadsNeverStall() throws Exception {
        serve(Settings.DEFAULTS, 10);
        try (MuxClient client = connect()) {
            upload(client, 100, 300_000);
            assertEquals(100, server.uploads());
            assertEquals(100 * 300_000L, server.uploaded());
        }
    }

    /** Sends on all streams at once, as far as the windows allow. */
    private static void upload(MuxClient client, int count, int size) throws IOException {
        Map<Integer, Integer> windows = new HashMap<>();
        Map<Integer, Integer> left = new HashMap<>();
        int connection = 65_535;
        for (int id = 1; id < 2 * count; id += 2) {
            client.request(id, "POST", "/upload", false);
            windows.put(id, 65_535);
            left.put(id, size);
        }
        int ended = 0;
        while (ended < count) {
            for (Map.Entry<Integer, Integer> each : left.entrySet()) {
                int id = each.getKey();
                int part =
                        Math.min(Math.min(each.getValue(), windows.getOrDefault(id, 0)), Math.min(connection, FRAME));
                while (part > 0) {
                    each.setValue(each.getValue() - part);
                    windows.merge(id, -part, Integer::sum);
                    connection -= part;
                    client.data(id, part, each.getValue() == 0);
                    part = Math.min(
                            Math.min(each.getValue(), windows.getOrDefault(id, 0)), Math.min(connection, FRAME));
                }
            }
            Event event = next(client);
            if (event.kind() == Kind.CREDIT && event.id() == 0) {
                connection += event.number();
            } else if (event.kind() == Kind.CREDIT) {
                windows.merge(event.id(), event.number(), Integer::sum);
            } else if (event.end()) {
                assertEquals(Kind.DATA, event.kind());
                ended++;
            }
        }
    }

    @Test
    @DiffersByTransport
    void readsFromAPeerThatDoesNotRead() throws Exception {
        serve(Settings.DEFAULTS, 8);
        try (MuxClient client = connect()) {
            client.initialWindow(LARGE);
            client.credit(0, LARGE);
            for (int id = 1; id < 10; id += 2) {
                client.request(id, "GET", "/download?20000000", true);
            }
            for (int id = 11; id < 71; id += 2) {
                client.request(id, "POST", "/swallow", false);
                for (int i = 0; i < 4; i++) {
                    client.data(id, FRAME, i == 3);
                }
            }

            Deadline.await("all uploads to be read", () -> server.uploaded() == 30L * 4 * FRAME);
        }
    }

    @Test
    void anUnreadUploadDoesNotBlockOtherStreams() throws Exception {
        serve(Settings.DEFAULTS, 4);
        try (MuxClient client = connect()) {
            client.credit(0, LARGE);
            for (int id = 1; id < 40; id += 2) {
                client.request(id, "POST", "/hold", false);
                for (int i = 0; i < 4; i++) {
                    client.data(id, FRAME, false);
                }
            }
            client.request(41, "GET", "/download?10000", true);

            assertEquals(10_000, receive(client, Map.of(41, 10_000)).get(41));
            Deadline.await("all to be here", () -> server.held().size() == 20);
            server.held().forEach(each -> each.abort(null));
        }
    }

    /** Requests that came together on one connection must not all come before those on others, one of which has its thread. */
    @Test
    @DiffersByTransport
    void takesTurnsWithOtherConnections() throws Exception {
        int many = 100;
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        int others = Runtime.getRuntime().availableProcessors() + 1;
        CountDownLatch answered = new CountDownLatch(others);
        AtomicInteger before = new AtomicInteger();
        serve(Settings.DEFAULTS, (request, stream) -> {
            if (request.path().decoded().equals("/other")) {
                answered.countDown();
            } else {
                begun.countDown();
                Deadline.awaitUninterrupted(sent);
                await(answered, 10);
                before.addAndGet(answered.getCount() > 0 ? 1 : 0);
            }
            MuxContractServer.respond(stream, 1);
        });
        List<MuxClient> clients = new ArrayList<>();
        try (MuxClient busy = connect()) {
            for (int i = 0; i < others; i++) {
                clients.add(connect());
            }
            busy.request(1, "GET", "/many", true);
            Deadline.await(begun);
            for (int i = 1; i < many; i++) {
                busy.request(2 * i + 1, "GET", "/many", true);
            }
            for (MuxClient client : clients) {
                client.request(1, "GET", "/other", true);
            }
            sent.countDown();
            for (MuxClient client : clients) {
                assertEquals(1, receive(client, Map.of(1, 1)).get(1));
                client.close();
            }
            Map<Integer, Integer> all = new HashMap<>();
            for (int i = 0; i < many; i++) {
                all.put(2 * i + 1, 1);
            }
            assertEquals(all, receive(busy, all));
        }
        assertTrue(before.get() < many, "all requests of one connection came before those of others");
    }

    /** Takes its time, as handlers do, but less if this happens. */
    private static void await(CountDownLatch latch, int millis) {
        try {
            latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Workers that are blocked by one client's windows must not be missing for others. */
    @Test
    @DiffersByTransport
    void connectionsWithClosedWindowsTakeNotAllWorkers() throws Exception {
        try (WorkerPool pool = new WorkerPool("shared", 4, 0);
                Timers timers = new Timers("shared")) {
            serve(
                    Settings.DEFAULTS,
                    new ExchangeDispatcher(MuxContract::write, pool, timers, ExchangeOptions.defaults()));
            try (MuxClient first = connect();
                    MuxClient second = connect();
                    MuxClient good = connect()) {
                for (MuxClient hostile : List.of(first, second)) {
                    hostile.initialWindow(0);
                    for (int i = 0; i < 50; i++) {
                        hostile.request(2 * i + 1, "GET", "/download?3000000", true);
                    }
                }
                good.credit(0, LARGE);
                for (int id = 1; id < 40; id += 2) {
                    first.credit(id, 1);
                    second.credit(id, 1);
                    good.request(id, "GET", "/download?10000", true);
                    assertEquals(10_000, receive(good, Map.of(id, 10_000)).get(id));
                }
            }
            Deadline.await("the workers to be free", () -> pool.active() == 0);
        }
    }

    private static void write(HttpExchange exchange) throws IOException {
        int size = Integer.parseInt(String.valueOf(exchange.request().query()));
        try (OutputStream out = ExchangeOutputStream.of(exchange)) {
            for (int left = size; left > 0; left -= FRAME) {
                out.write(new byte[Math.min(left, FRAME)]);
            }
        }
    }

    @Test
    @SuppressWarnings("try") // closed before the end of the block
    @DiffersByTransport
    void aStreamMayBeResetWhileItIsSentAndRead() throws Exception {
        serve(Settings.DEFAULTS, 4);
        try (MuxClient client = connect()) {
            client.initialWindow(LARGE);
            client.credit(0, LARGE);
            Thread ears = new Thread(() -> hearToTheEnd(client));
            ears.start();
            long until = System.nanoTime() + Duration.ofSeconds(1).toNanos();
            int id = 1;
            for (; id < 800 && System.nanoTime() < until; id += 6) {
                client.request(id, "GET", "/download?100000", true);
                client.request(id + 2, "POST", "/upload", false);
                client.data(id + 2, 1000, false);
                client.request(id + 4, "GET", "/hold", true);
                client.reset(id);
                client.reset(id + 2);
                client.reset(id + 4);
                HttpStream stream = server.held().poll();
                if (stream != null) {
                    stream.abort(null);
                }
            }
            client.close();
            ears.join();
        }
    }

    @Test
    @SuppressWarnings("try") // closed before the end of the block
    @DiffersByTransport
    void finishesWhatRunsWhenTheServerStops() throws Exception {
        Transport transport = serve(Settings.DEFAULTS, 4);
        try (MuxClient client = connect()) {
            client.credit(0, LARGE);
            client.request(1, "GET", "/hold", true);
            Deadline.await("the request", () -> server.held().size() == 1);

            var stopped = transport.stop(Deadline.DEFAULT);
            awaitKind(client, Kind.GO_AWAY);
            MuxContractServer.respond(server.held().remove(), 50_000);

            assertEquals(50_000, receive(client, Map.of(1, 50_000)).get(1));
            awaitKind(client, Kind.END);
            client.close();
            Deadline.await(stopped);
        }
    }

    /** Single octets at intervals do not block a thread forever. */
    @Test
    void abortsAnUploadBelowTheMinimumRate() throws Exception {
        Settings strict = Settings.DEFAULTS
                .with(MuxOptions.STREAM_READ_TIMEOUT, Duration.ofMillis(200))
                .with(HttpOptions.MIN_UPLOAD_RATE_GRACE, Duration.ZERO)
                .with(HttpOptions.MIN_UPLOAD_RATE, 1_000_000_000);
        serve(strict, 2);
        try (MuxClient client = connect()) {
            client.request(1, "POST", "/upload", false);
            CompletableFuture<Void> given = CompletableFuture.runAsync(() -> {
                try {
                    awaitKind(client, Kind.RESET);
                } catch (IOException broken) {
                    throw new UncheckedIOException(broken);
                }
            });
            for (int bytes = 0; bytes < 60_000 && !given.isDone(); bytes++) {
                client.data(1, 1, false);
                Deadline.pass(Duration.ofMillis(10));
            }
            Deadline.await(given);
        }
    }

    @Test
    @DiffersByTransport
    void failsWhatRunsWhenThePeerLeaves() throws Exception {
        serve(Settings.DEFAULTS, 4);
        CompletableFuture<String> closed = new CompletableFuture<>();
        try (MuxClient client = connect()) {
            client.request(1, "GET", "/hold", true);
            Deadline.await("the request", () -> server.held().size() == 1);
            server.held().element().onClosed(cause -> closed.complete("closed"));
            client.request(3, "GET", "/download?100000000", true);
            client.reset(1);
        }
        assertEquals("closed", Deadline.await(closed));
        server.held().remove().abort(null);
    }

    private static void awaitKind(MuxClient client, Kind kind) throws IOException {
        Event event = client.next();
        while (event.kind() != kind) {
            event = client.next();
        }
    }

    private static void hearToTheEnd(MuxClient client) {
        try {
            awaitKind(client, Kind.END);
        } catch (IOException closed) {
            // by the test
        }
    }

    /** Reads until each stream has received so many octets. */
    private static Map<Integer, Integer> receive(MuxClient client, Map<Integer, Integer> wanted) throws IOException {
        Map<Integer, Integer> got = new HashMap<>();
        while (wanted.entrySet().stream().anyMatch(each -> got.getOrDefault(each.getKey(), 0) < each.getValue())) {
            count(next(client), got);
        }
        return got;
    }

    private static Event next(MuxClient client) throws IOException {
        Event event = client.next();
        if (event.kind() == Kind.RESET || event.kind() == Kind.END) {
            throw new AssertionError(event);
        }
        return event;
    }
}
