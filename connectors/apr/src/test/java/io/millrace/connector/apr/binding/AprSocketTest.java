package io.millrace.connector.apr.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.natives.NativeObjects;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An APR socket … */
@Timeout(60)
final class AprSocketTest {

    private static final int CLOSED = -2;

    private final int poolsBefore;
    private final AtomicInteger reported = new AtomicInteger();
    private final AtomicInteger gone = new AtomicInteger();
    private final Pollset pollset;
    private final AprListeningSocket listening;
    private final RawClient client;
    private final AprSocket socket;

    AprSocketTest() throws IOException {
        Apr.require();
        poolsBefore = NativeObjects.live();
        pollset = new Pollset(8);
        listening = AprListeningSocket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10, true, 0);
        client = RawClient.connect(listening.address());
        socket = accept();
    }

    @BeforeEach
    void join() {
        socket.join(pollset, new Polled() {
            @Override
            public void ready(int events) {
                reported.set(events);
            }

            @Override
            public void gone() {
                if (gone.incrementAndGet() == 1) {
                    pollset.forget(socket);
                }
            }
        });
    }

    @AfterEach
    void leaveNothing() throws IOException {
        client.close();
        socket.close();
        listening.close();
        pollset.close();
        pollset.wakeUp(); // no effect any more
        assertEquals(poolsBefore, NativeObjects.live(), "pools");
    }

    @Test
    void isNoSocketAnyMoreOnceClosed() {
        socket.close();
        ByteBuffer[] one = {ByteBuffer.allocateDirect(1)};
        assertThrows(ClosedChannelException.class, () -> socket.receive(one[0]));
        assertThrows(ClosedChannelException.class, () -> socket.send(one, 0, 1));
        assertThrows(ClosedChannelException.class, () -> socket.sendFile(0, 0, 1));
        assertThrows(ClosedChannelException.class, socket::shutdownOutput);
        assertThrows(ClosedChannelException.class, socket::local);
        assertThrows(ClosedChannelException.class, socket::remote);
        assertThrows(ClosedChannelException.class, () -> socket.option(AprSocket.TCP_NODELAY, 1));
        assertThrows(ClosedChannelException.class, () -> socket.linger(1));
        assertThrows(ClosedChannelException.class, this::acceptsWithAPoolOfItsOwn);
    }

    private void acceptsWithAPoolOfItsOwn() throws IOException {
        SocketPool pool = new SocketPool(1);
        try {
            socket.accept(pool);
        } finally {
            pool.retire();
        }
    }

    @Test
    void sharesItsPoolWithThoseThatWereAcceptedAfterIt() throws Exception {
        int before = NativeObjects.live();
        List<RawClient> clients = new ArrayList<>();
        List<AprSocket> others = new ArrayList<>();
        for (int i = 1; i <= SocketPool.SOCKETS; i++) {
            clients.add(RawClient.connect(listening.address()));
            others.add(accept());
        }
        assertEquals(before + 1, NativeObjects.live(), "one more for the one that did not fit in");
        for (AprSocket other : others) {
            other.close();
        }
        assertEquals(before + 1, NativeObjects.live(), "this one is open, and the next one may be accepted");
        socket.close();
        assertEquals(before, NativeObjects.live(), "the full one went with its last");
        for (RawClient each : clients) {
            each.close();
        }
    }

    @Test
    void keepsItsMemoryWhenOthersAreClosed() throws Exception {
        try (RawClient another = RawClient.connect(listening.address())) {
            accept().close();
            client.send("abc");
            await(AprSocket.READABLE);
            ByteBuffer into = ByteBuffer.allocateDirect(10);
            assertEquals(3, socket.receive(into));
            assertEquals(listening.address(), socket.local());
            another.awaitClose();
        }
    }

    @Test
    void isGoneOnceHoweverOftenItIsClosed() throws IOException {
        socket.close();
        socket.close();
        socket.watch(AprSocket.READABLE, 0);
        assertEquals(1, gone.get());
    }

    @Test
    void takesNativeMemoryWithRoomOnly() {
        assertThrows(IllegalArgumentException.class, () -> socket.receive(ByteBuffer.allocateDirect(0)));
        assertThrows(IllegalArgumentException.class, () -> socket.receive(ByteBuffer.allocate(1)));
        ByteBuffer[] heap = {ByteBuffer.allocate(1)};
        assertThrows(IllegalArgumentException.class, () -> socket.send(heap, 0, 1));
    }

    @Test
    void tellsNothingFromTheEnd() throws Exception {
        ByteBuffer into = ByteBuffer.allocateDirect(10);
        assertEquals(0, socket.receive(into));
        client.send("abc");
        await(AprSocket.READABLE);
        assertEquals(3, socket.receive(into));
        assertEquals(3, into.position());
        client.finish();
        Deadline.await("the end", () -> receives(into) == -1);
    }

    @Test
    void isReportedAsLongAsItIsWatched() throws Exception {
        client.send("x");
        await(AprSocket.READABLE);
        reported.set(0);
        pollset.dispatch(pollset.await(0));
        assertEquals(AprSocket.READABLE, reported.getAndSet(0), "still there");
        socket.watch(0, AprSocket.READABLE);
        pollset.dispatch(pollset.await(0));
        assertEquals(0, reported.get());
        socket.watch(AprSocket.READABLE | AprSocket.WRITABLE, 0);
        pollset.dispatch(pollset.await(0));
        assertEquals(AprSocket.READABLE | AprSocket.WRITABLE, reported.get());
    }

    @Test
    void sendsManyBuffersInOneCallAndMovesThem() throws Exception {
        ByteBuffer[] buffers = new ByteBuffer[AprSocket.MAX_BUFFERS];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ByteBuffer.allocateDirect(2)
                    .put((byte) 'a')
                    .put((byte) ('a' + i))
                    .flip();
        }
        assertEquals(16, socket.send(buffers, 0, buffers.length));
        assertEquals("aaabacadaeafagah", client.readText(16));
        for (ByteBuffer buffer : buffers) {
            assertFalse(buffer.hasRemaining());
        }
    }

    @Test
    void knowsItsEnds() throws Exception {
        assertEquals(listening.address(), socket.local());
        assertEquals(client.socket().getLocalSocketAddress(), socket.remote());
    }

    @Test
    void isDestroyedByTheLastThatLeavesIt() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Thread[] readers = new Thread[3];
        for (int i = 0; i < readers.length; i++) {
            ByteBuffer into = ByteBuffer.allocateDirect(1);
            readers[i] = new Thread(() -> {
                Deadline.awaitUninterrupted(go);
                while (receives(into) != CLOSED) {
                    Thread.onSpinWait();
                }
            });
            readers[i].start();
        }
        go.countDown();
        socket.close();
        for (Thread reader : readers) {
            reader.join();
        }
        assertEquals(1, gone.get());
    }

    @Test
    void mustNotOutliveItsPollset() {
        assertThrows(IllegalStateException.class, pollset::close);
    }

    @Test
    void wasTheOnlyOneWaiting() throws Exception {
        assertNull(listening.accept());
    }

    private int receives(ByteBuffer into) {
        try {
            return socket.receive(into);
        } catch (ClosedChannelException closed) {
            return CLOSED;
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private void await(int event) throws IOException {
        socket.watch(event, 0);
        while ((reported.get() & event) == 0) {
            pollset.dispatch(pollset.await(-1));
        }
    }

    private AprSocket accept() throws IOException {
        AprSocket accepted = listening.accept();
        while (accepted == null) {
            Thread.onSpinWait();
            accepted = listening.accept();
        }
        return accepted;
    }
}
