package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A selector loop … */
@Timeout(60)
final class SelectorLoopTest {

    private SelectorLoop loop;

    @BeforeEach
    void start() throws IOException {
        loop = SelectorLoop.start("test");
    }

    @AfterEach
    void end() throws Exception {
        loop.end().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, NoClassDefFoundError.class, IllegalStateException.class})
    void tellsTheOthersAfterOneThatThrew(Class<? extends Throwable> kind) throws Exception {
        Throwable planted = kind.getConstructor(String.class).newInstance("planted by the test");
        CompletableFuture<Throwable> unregistered = new CompletableFuture<>();
        CountDownLatch notified = new CountDownLatch(2);
        Pipe bad = registered(ready -> SelectorLoopTest.<RuntimeException>raise(planted), unregistered);
        Pipe good = registered(ready -> notified.countDown(), new CompletableFuture<>());
        Pipe other = registered(ready -> notified.countDown(), new CompletableFuture<>());
        for (Pipe each : List.of(bad, good)) {
            each.sink().write(ByteBuffer.wrap(new byte[1]));
        }
        assertSame(planted, unregistered.get(30, TimeUnit.SECONDS));
        other.sink().write(ByteBuffer.wrap(new byte[1]));
        assertTrue(notified.await(30, TimeUnit.SECONDS));
    }

    @Test
    void runsTasksAfterOneThatThrew() throws Exception {
        CountDownLatch ran = new CountDownLatch(1);
        loop.execute(() -> {
            throw new OutOfMemoryError("planted by the test");
        });
        loop.execute(ran::countDown);
        assertTrue(ran.await(30, TimeUnit.SECONDS));
        assertEquals(0, ran.getCount());
        assertFalse(loop.end().toCompletableFuture().isCompletedExceptionally());
    }

    private Pipe registered(IntConsumer ready, CompletableFuture<Throwable> unregistered) throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        SelectionKey key = loop.register(pipe.source(), new SelectorListener() {
            @Override
            public void ready(int operations) {
                ready.accept(operations);
            }

            @Override
            public void unregistered(Throwable why) {
                unregistered.complete(why);
            }
        });
        loop.arm(key, SelectionKey.OP_READ);
        return pipe;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void raise(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
