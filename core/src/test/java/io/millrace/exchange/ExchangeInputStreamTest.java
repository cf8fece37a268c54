package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.io.Blocker;
import io.millrace.io.Chunk;
import io.millrace.protocol.ProtocolException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ExchangeInputStreamTest {

    private final MemoryStream stream = new MemoryStream();
    private final ExchangeInputStream in = new ExchangeInputStream(new ExchangeInput(stream), Blocker.NEVER_IN_PLACE);

    @AfterEach
    void giveBack() {
        in.close();
        assertEquals(0, stream.pool.outstanding());
    }

    @Test
    void readsToTheEnd() throws IOException {
        stream.supply("hello, ").supply("").supply("world").supplyEnd();
        assertEquals("hello, world", new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        assertEquals(-1, in.read());
        assertTrue(in.isFinished());
        assertEquals(0, stream.pool.outstanding());
    }

    @Test
    void readsBytesAsUnsigned() throws IOException {
        stream.supply("\u00ff").supplyEnd();
        assertEquals(255, in.read());
    }

    @Test
    void returnsWhatIsThereRatherThanWaitForMore() throws IOException {
        stream.supply("abc");
        byte[] bytes = new byte[10];
        assertEquals(3, in.read(bytes));
    }

    @Test
    void waitsOnlyWhenNothingIsThere() throws Exception {
        CompletableFuture<Integer> read = readElsewhere();
        awaitAsked();
        assertFalse(read.isDone());
        stream.supply("x");
        assertEquals('x', read.get(20, TimeUnit.SECONDS));
    }

    @Test
    void endsItsWaitWhenTheClientBreaksOff() throws Exception {
        CompletableFuture<Integer> read = readElsewhere();
        awaitAsked();
        stream.breakOff(new IOException("Connection reset"));
        assertThrows(Exception.class, () -> read.get(20, TimeUnit.SECONDS));
        assertThrows(IOException.class, in::read);
    }

    @Test
    void saysThatTheClientIsGoneWhenTheConnectionBreaks() {
        IOException broken = new IOException("Connection reset");
        stream.supplyFailure(broken);
        assertSame(broken, assertThrows(ClientClosedException.class, in::read).getCause());
    }

    @Test
    void survivesAnInterruptedWait() throws Exception {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedIOException.class, in::read);
        assertTrue(Thread.interrupted());
        stream.supply("late");
        assertEquals('l', in.read());
        assertThrows(InterruptedIOException.class, () -> {
            in.readNBytes(3);
            Thread.currentThread().interrupt();
            in.read();
        });
        assertTrue(Thread.interrupted());
    }

    @Test
    void throwsTheSameFailureAgain() {
        stream.supplyFailure(new ProtocolException(400, "bad chunk"));
        IOException first = assertThrows(IOException.class, in::read);
        assertSame(first, assertThrows(IOException.class, in::read));
    }

    @Test
    void knowsWhatIsAvailable() throws IOException {
        assertEquals(0, in.available());
        stream.supply("abc").supplyEnd();
        assertEquals(3, in.available());
        in.read();
        assertEquals(2, in.available());
        assertArrayEquals("bc".getBytes(StandardCharsets.US_ASCII), in.readAllBytes());
        assertEquals(0, in.available());
    }

    @Test
    void refusesReadsAfterItsClose() {
        stream.supply("abc");
        in.close();
        assertThrows(IOException.class, in::read);
    }

    @Test
    void callsBackOnceForEachTimeItWasNotReady() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        in.onReadable(calls::incrementAndGet);
        assertFalse(in.isReady());
        assertFalse(in.isReady());
        stream.supply("ab");
        assertEquals(1, calls.get());
        assertTrue(in.isReady());
        assertEquals(2, in.read(new byte[10]));
        stream.supply("c");
        assertEquals(1, calls.get());
        assertTrue(in.isReady());
        assertEquals('c', in.read());
        assertFalse(in.isReady());
        stream.supplyEnd();
        assertEquals(2, calls.get());
        assertTrue(in.isReady());
        assertTrue(in.isFinished());
    }

    /** Two concurrent readers would lose the bytes of one of them. */
    @Test
    void leavesTheSourceToTheConnectionUntilThatCallsBack() throws IOException {
        AtomicInteger reads = new AtomicInteger();
        List<Runnable> awaited = new ArrayList<>();
        ExchangeInputStream mine = new ExchangeInputStream(
                new BodySource() {
                    @Override
                    public @Nullable Chunk read() {
                        reads.incrementAndGet();
                        return null;
                    }

                    @Override
                    public void awaitReadable(Runnable ready) {
                        awaited.add(ready);
                    }
                },
                Blocker.NEVER_IN_PLACE);
        mine.onReadable(() -> {});
        assertFalse(mine.isReady());
        assertEquals(1, reads.get());
        assertFalse(mine.isReady());
        assertEquals(0, mine.available());
        assertThrows(IllegalStateException.class, mine::read);
        assertEquals(1, reads.get(), "the connection's thread may be reading");
        awaited.get(0).run();
        assertEquals(2, reads.get());
        assertEquals(2, awaited.size(), "it goes on waiting");
    }

    @Test
    void callsBackForAFailure() {
        AtomicInteger calls = new AtomicInteger();
        in.onReadable(calls::incrementAndGet);
        assertFalse(in.isReady());
        stream.breakOff(new IOException("Connection reset"));
        assertEquals(1, calls.get());
        assertTrue(in.isReady());
        assertThrows(IOException.class, in::read);
    }

    @Test
    void refusesToReadUnaskedWhenNonBlocking() {
        in.onReadable(() -> {});
        assertThrows(IllegalStateException.class, in::read);
    }

    private CompletableFuture<Integer> readElsewhere() {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(in.read());
            } catch (IOException failure) {
                result.completeExceptionally(failure);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private void awaitAsked() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!stream.isAwaited()) {
            assertTrue(System.nanoTime() < deadline, "no reader is waiting");
            Thread.onSpinWait();
        }
    }
}
