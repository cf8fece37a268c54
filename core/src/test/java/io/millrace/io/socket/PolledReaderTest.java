package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionMeter;
import io.millrace.io.Timers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reading from a peer that sends endlessly … */
final class PolledReaderTest {

    private static final int MUCH = 10 * PolledReader.TURN;

    private final Timers timers = new Timers("test");
    private final BufferPool buffers = new BufferPool(1 << 20);
    private PolledConnection connection;

    @BeforeEach
    void open() throws IOException {
        connection = new PolledConnection(new Owner(), new InPlace(), new ConnectionList<>(), endless());
    }

    @AfterEach
    void close() {
        timers.close();
    }

    @Test
    void leavesOtherConnectionsOfAnIoThreadTheirTurn() throws Exception {
        assertEquals(PolledReader.TURN, onIoThread(this::readAll));
        assertEquals(0, onIoThread(this::readAll), "it is the others' turn");
    }

    @Test
    void goesOnInTheNextTurn() throws Exception {
        AtomicInteger read = new AtomicInteger();
        connection.install(new Reader(read));
        onIoThread(this::readAll);
        for (int turn = 1; turn <= 3; turn++) {
            connection.awaitReadable();
            onIoThread(() -> {
                connection.readReady();
                return 0;
            });
            assertEquals(turn * PolledReader.TURN, read.get());
        }
    }

    @Test
    void goesOnForAsLongAsAWorkerLikes() throws IOException {
        assertEquals(MUCH, readAll());
    }

    /** A socket with practically endless input. */
    private int readAll() throws IOException {
        for (int i = 0; i < MUCH; i++) {
            Chunk chunk = connection.read();
            if (chunk == null) {
                return i;
            }
            chunk.release();
        }
        return MUCH;
    }

    private static <T> T onIoThread(Callable<T> task) throws Exception {
        FutureTask<T> run = new FutureTask<>(task);
        new IoThread(run, "test").start();
        T result = run.get();
        assertNotNull(result);
        return result;
    }

    private static PolledSocket endless() {
        return (PolledSocket) Proxy.newProxyInstance(
                PolledReaderTest.class.getClassLoader(),
                new Class<?>[] {PolledSocket.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "local", "remote" -> new InetSocketAddress(0);
                    case "read" -> fill((ByteBuffer) arguments[0]);
                    default -> null;
                });
    }

    private static int fill(ByteBuffer into) {
        int count = into.remaining();
        into.position(into.limit());
        return count;
    }

    private final class Reader implements ConnectionHandler {

        private final AtomicInteger read;

        Reader(AtomicInteger read) {
            this.read = read;
        }

        @Override
        public void onReadable() {
            try {
                read.addAndGet(readAll());
            } catch (IOException broken) {
                throw new AssertionError(broken);
            }
        }

        @Override
        public void onIdle() {}

        @Override
        public void onClosed(@Nullable Throwable cause) {}

        @Override
        public void drain() {}
    }

    private final class Owner implements ConnectionOwner {

        @Override
        public boolean isStopping() {
            return false;
        }

        @Override
        public void left() {}

        @Override
        public BufferPool buffers() {
            return buffers;
        }

        @Override
        public Timers timers() {
            return timers;
        }

        @Override
        public OutputRate outputRate() {
            return OutputRate.ANY;
        }

        @Override
        public ConnectionMeter meter() {
            return new ConnectionMeter();
        }
    }

    private static final class InPlace implements PollingThread {

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void handedOver() {}
    }
}
