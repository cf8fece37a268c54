package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.layer.TlsLayer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Peers and our own threads close, reset and half-close connections at any moment, in handshakes, writes and file transfers,
 * while connectors stop and start. The JVM must survive, every handler be notified of the end once, and no native object,
 * descriptor or buffer leak. {@code -Dmillrace.stress.seconds=120} sets the duration, {@code
 * -Dmillrace.stress.connections=100000} the minimum number of connections.
 */
public abstract class StressContract {

    private static final int SECONDS = Integer.getInteger("millrace.stress.seconds", 8);
    private static final int CONNECTIONS = Integer.getInteger("millrace.stress.connections", 0);
    private static final int CLIENTS = 6;
    private static final int HASTY_CLIENTS = 2;
    private static final int FILE_SIZE = 3 << 20;

    private final BufferPool buffers = new BufferPool(256L << 20, true);
    private final Timers timers = new Timers("stress-timers");
    private final ExecutorService workers = Executors.newFixedThreadPool(3);
    private final ExecutorService players = Executors.newCachedThreadPool();
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger twice = new AtomicInteger();
    private final AtomicInteger visits = new AtomicInteger();
    private final AtomicLong seeds = new AtomicLong(1);
    private final TestTls tls = TestTls.by(implementation());
    private final TlsLayer layer = new TlsLayer(tls, workers, timers, Duration.ofSeconds(1));
    private volatile Port plain = new Port(null, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    private volatile Port secured = plain;
    private volatile boolean over;

    @TempDir
    private Path directory = Path.of("");

    private FileChannel file = openNothing();

    /** A bound transport, or none. */
    private record Port(@Nullable Transport transport, InetSocketAddress address) {}

    /** The transport. */
    protected abstract TransportProvider provider();

    /** The TLS implementation. */
    protected abstract TlsImplementation implementation();

    /** The default of the minimum number of connections. */
    protected int connections() {
        return 0;
    }

    /** The current number of native objects. */
    protected abstract int nativeObjects();

    @BeforeEach
    void makeFile() throws IOException {
        file.close();
        file = FileChannel.open(Files.write(directory.resolve("file"), new byte[FILE_SIZE]), StandardOpenOption.READ);
    }

    @AfterEach
    void end() throws IOException {
        file.close();
        workers.shutdown();
        players.shutdown();
        timers.close();
        tls.close();
    }

    @Test
    void leavesNothingBehindAfterASecond() throws Exception {
        leavesNothingBehind(1, 0);
    }

    @Test
    @Tag("soak")
    void leavesNothingBehindAndTheJvmAlive() throws Exception {
        leavesNothingBehind(SECONDS, CONNECTIONS == 0 ? connections() : CONNECTIONS);
    }

    private void leavesNothingBehind(int seconds, int connections) throws Exception {
        do {
            play(1); // loads classes and libraries, which need descriptors
        } while (layer.handshakes() == 0); // and creates what the server's engines share
        int objects = nativeObjects();
        long descriptors = descriptors();
        int before = visits.get();
        do {
            play(seconds);
        } while (visits.get() - before < connections);
        Deadline.await("every handler to be notified of the end", open::isEmpty);
        assertEquals(0, twice.get(), "handlers notified twice");
        Deadline.await(
                "native objects to be freed: " + nativeObjects() + " of " + objects, () -> nativeObjects() <= objects);
        Deadline.await(
                "descriptors to be closed: " + descriptors() + " of " + descriptors,
                () -> descriptors() <= descriptors);
        try {
            Deadline.await("every chunk to be released", () -> buffers.outstanding() == 0);
        } catch (AssertionError leaked) {
            throw new AssertionError(buffers.leakReport(), leaked);
        }
        assertTrue(visits.get() - before > 50 * seconds, "only " + visits.get() + " connections");
    }

    private void play(int seconds) throws Exception {
        over = false;
        plain = bind(false);
        secured = bind(true);
        List<java.util.concurrent.Future<?>> all = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            all.add(players.submit(this::visit));
        }
        for (int i = 0; i < HASTY_CLIENTS; i++) {
            all.add(players.submit(this::connectBriefly));
        }
        all.add(players.submit(this::closeAtRandom));
        all.add(players.submit(this::restart));
        Deadline.pass(Duration.ofSeconds(seconds));
        over = true;
        for (var each : all) {
            each.get(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS);
        }
        stop(plain, Duration.ofMillis(100));
        stop(secured, Duration.ZERO);
    }

    private void visit() {
        Random random = new Random(seeds.incrementAndGet());
        StressClient client = new StressClient(seeds.incrementAndGet(), tls);
        while (!over) {
            boolean byTls = random.nextInt(3) == 0;
            client.visit((byTls ? secured : plain).address, byTls);
            visits.incrementAndGet();
        }
    }

    /** Makes most of the connections. */
    private void connectBriefly() {
        Random random = new Random(seeds.incrementAndGet());
        StressClient client = new StressClient(seeds.incrementAndGet(), tls);
        while (!over) {
            boolean byTls = random.nextInt(3) == 0;
            client.connectBriefly((byTls ? secured : plain).address, byTls);
            visits.incrementAndGet();
        }
    }

    /** Closes connections from an unrelated thread. */
    private void closeAtRandom() {
        Random random = new Random(seeds.incrementAndGet());
        while (!over) {
            for (Connection each : open) {
                if (random.nextInt(30) == 0) {
                    each.close(random.nextBoolean() ? null : new IOException("closed from outside"));
                }
            }
            Deadline.pass(Duration.ofMillis(2));
        }
    }

    private void restart() {
        Random random = new Random(seeds.incrementAndGet());
        try {
            while (!over) {
                Deadline.pass(Duration.ofMillis(200 + random.nextInt(300)));
                Duration grace = Duration.ofMillis(random.nextInt(60));
                if (random.nextInt(3) > 0) {
                    Port old = plain;
                    plain = bind(false);
                    stop(old, grace);
                } else {
                    Port old = secured;
                    stop(old, grace);
                    secured = bind(true);
                }
            }
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    private Port bind(boolean byTls) throws IOException {
        Transport transport = provider().create(TransportOptions.defaults("stress", buffers, timers));
        StressHandler.Setting setting = new StressHandler.Setting(file, FILE_SIZE, workers, open, twice);
        InetSocketAddress address = (InetSocketAddress) transport.bind(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), connection -> {
                    if (byTls) {
                        layer.open(connection, ready -> begin(ready, setting));
                    } else {
                        begin(connection, setting);
                    }
                });
        return new Port(transport, address);
    }

    private void begin(Connection connection, StressHandler.Setting setting) {
        StressHandler handler = new StressHandler(connection, setting, seeds.incrementAndGet());
        connection.install(handler);
        handler.onReadable();
    }

    private static void stop(Port port, Duration grace) throws Exception {
        Transport transport = port.transport;
        if (transport != null) {
            Deadline.await(transport.stop(grace));
            assertEquals(0, transport.connections());
        }
    }

    private static long descriptors() {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static FileChannel openNothing() {
        try {
            return FileChannel.open(Path.of("/dev/null"), StandardOpenOption.READ);
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Connects, sends something, and disconnects in one of many ways. */
    private static final class StressClient {

        private static final Duration PATIENCE = Duration.ofMillis(300);
        private static final int TLS_RECORD_OF_A_HANDSHAKE = 0x16;

        private final Random random;
        private final TestTls tls;

        StressClient(long seed, TestTls tls) {
            this.random = new Random(seed);
            this.tls = tls;
        }

        /** Uses one connection, which may fail. */
        void visit(InetSocketAddress address, boolean secured) {
            try (RawClient raw = RawClient.connect(address, random.nextInt(4) == 0 ? 4_096 : 0)) {
                raw.deadline(PATIENCE);
                if (!secured) {
                    talk(raw, raw);
                } else if (random.nextInt(3) == 0) {
                    breakHandshake(raw);
                } else {
                    raw.socket().setSoTimeout((int) PATIENCE.toMillis());
                    talk(raw.secured(tls).deadline(PATIENCE), raw);
                }
            } catch (IOException expected) {
                // refused, reset, timed out
            }
        }

        /** Connects and disconnects at once, with or without sending, which may fail. */
        void connectBriefly(InetSocketAddress address, boolean secured) {
            try (RawClient raw = RawClient.connect(address, 0)) {
                if (random.nextBoolean()) {
                    byte[] hello = secured ? tls.clientHello() : bytes(100);
                    raw.send(Arrays.copyOf(hello, 1 + random.nextInt(hello.length)));
                }
                if (random.nextInt(4) > 0) {
                    raw.reset();
                }
            } catch (IOException expected) {
                // refused or reset
            }
        }

        private void talk(RawClient client, RawClient raw) throws IOException {
            switch (random.nextInt(8)) {
                case 0 -> raw.reset();
                case 1 -> client.send(bytes(10)).readSome(10);
                case 2 -> {
                    client.send(bytes(10)).readSome(1);
                    raw.reset();
                }
                case 3 -> {
                    client.send(bytes(5_000)).finish();
                    client.awaitClose();
                }
                case 4 -> {
                    client.send(bytes(200_000));
                    raw.reset();
                }
                case 5 -> {
                    client.send(bytes(40)).readSome(100_000);
                    client.send(bytes(40)).readSome(100_000);
                }
                case 6 -> client.isSilentFor(Duration.ofMillis(1 + random.nextInt(40)));
                default -> client.send(bytes(1));
            }
        }

        /** Disconnects before, in or after a first message, for which the server may have to compute. */
        private void breakHandshake(RawClient raw) throws IOException {
            byte[] hello = random.nextInt(3) == 0 ? garbage() : tls.clientHello();
            raw.send(random.nextBoolean() ? hello : Arrays.copyOf(hello, 1 + random.nextInt(hello.length)));
            if (random.nextInt(3) == 0) {
                raw.isSilentFor(Duration.ofMillis(random.nextInt(5)));
            }
            if (random.nextBoolean()) {
                raw.reset();
            }
        }

        private byte[] garbage() {
            byte[] garbage = bytes(1 + random.nextInt(400));
            garbage[0] = TLS_RECORD_OF_A_HANDSHAKE;
            return garbage;
        }

        private byte[] bytes(int count) {
            byte[] bytes = new byte[count];
            random.nextBytes(bytes);
            return bytes;
        }
    }

    /** Responds to input at random with an echo, a file region, or many bytes, on its I/O thread or on a worker. */
    private static final class StressHandler implements ConnectionHandler {

        /** State shared by all handlers of a test. */
        record Setting(FileChannel file, long fileSize, Executor workers, Set<Connection> open, AtomicInteger twice) {}

        private static final int LARGE = 700_000;

        private final Connection connection;
        private final Setting setting;
        private final Random random;
        private final AtomicInteger ends = new AtomicInteger();

        StressHandler(Connection connection, Setting setting, long seed) {
            this.connection = connection;
            this.setting = setting;
            this.random = new Random(seed);
            if (random.nextInt(8) == 0) {
                connection.idleTimeout(Duration.ofMillis(1 + random.nextInt(50)));
            }
            setting.open.add(connection);
        }

        @Override
        public void onReadable() {
            if (random.nextInt(3) == 0) {
                setting.workers.execute(this::serve);
            } else {
                serve();
            }
        }

        private void serve() {
            try {
                Chunk chunk = connection.read();
                if (chunk == null) {
                    connection.awaitReadable();
                } else if (chunk.isEnd()) {
                    connection.finish(failure -> connection.close(null));
                } else {
                    connection.write(answer(chunk), failure -> {
                        chunk.release();
                        if (failure == null) {
                            proceed();
                        }
                    });
                }
            } catch (IOException broken) {
                connection.close(broken);
            }
        }

        private Payload answer(Chunk chunk) {
            return switch (random.nextInt(8)) {
                case 0 -> new Payload.FileRegion(setting.file, random.nextInt(1_000), setting.fileSize - 1_000);
                case 1 -> Payload.of(ByteBuffer.allocate(LARGE));
                case 2 -> new Payload.Bytes(chunk.bytes(), ByteBuffer.allocateDirect(random.nextInt(LARGE)));
                default -> Payload.of(chunk.bytes());
            };
        }

        private void proceed() {
            switch (random.nextInt(20)) {
                case 0 -> connection.close(null);
                case 1 -> connection.close(new IOException("by chance"));
                case 2 -> connection.finish(failure -> connection.awaitReadable());
                case 3 -> setting.workers.execute(this::serve);
                default -> serve();
            }
        }

        @Override
        public void onIdle() {
            if (random.nextBoolean()) {
                connection.close(null);
            } else {
                connection.awaitReadable();
            }
        }

        @Override
        public void onClosed(@Nullable Throwable cause) {
            setting.open.remove(connection);
            if (ends.incrementAndGet() > 1) {
                setting.twice.incrementAndGet();
            }
        }

        @Override
        public void drain() {
            if (random.nextInt(3) == 0) {
                connection.close(null);
            }
        }
    }
}
