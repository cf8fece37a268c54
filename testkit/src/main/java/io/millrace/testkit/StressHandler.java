package io.millrace.testkit;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Responds to input at random with an echo, a file region, or many bytes, on its I/O thread or on a worker. */
final class StressHandler implements ConnectionHandler {

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
