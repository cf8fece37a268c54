package io.millrace.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.ExchangeDispatcher;
import io.millrace.exchange.ExchangeOptions;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.Blocker;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.io.TestConnection;
import io.millrace.io.Timers;
import io.millrace.race.FailingTimers;
import io.millrace.settings.Settings;
import io.millrace.workers.Workers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** If the exchange or a write fails, a WebSocket connection … */
class WebSocketSessionTest {

    private static final String HANDSHAKE = """
            GET / HTTP/1.1
            Host: h
            Upgrade: websocket
            Connection: Upgrade
            Sec-WebSocket-Version: 13
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

            """.replace("\n", "\r\n");

    @Test
    void endsIfItCannotWaitForInput() {
        Peer peer = new Peer();
        Told told = new Told();
        peer.open(told, new Timers("unused"));
        peer.failsToWait = true;
        peer.send((byte) 0x81, (byte) 0x80, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
        assertEquals(List.of("onOpen", "onText", "onError OutOfMemoryError", "onClose 1006"), told.calls);
        assertTrue(peer.closed);
    }

    /** Otherwise it would wait forever for the peer's close frame. */
    @Test
    void endsIfItsCloseTimeoutCannotBeSet() {
        Peer peer = new Peer();
        Told told = new Told();
        peer.open(told, FailingTimers.open());
        Objects.requireNonNull(told.connection).close(CloseStatus.NORMAL);
        assertEquals(List.of("onOpen", "onClose 1000"), told.calls);
        assertTrue(peer.closed);
    }

    /** The reading thread keeps the connection; if it did not yield, the next message would preempt the worker that has this one. */
    @Test
    void makesWayForTheWorkerThatItHandsAMessageTo() {
        Peer peer = new Peer();
        peer.open(new WebSocketListener() {}, new Timers("unused"));
        int before = peer.madeWay;
        peer.send((byte) 0x81, (byte) 0x80, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
        assertEquals(before + 1, peer.madeWay);
    }

    @Test
    void makesNoWayForAPing() {
        Peer peer = new Peer();
        peer.open(new WebSocketListener() {}, new Timers("unused"));
        int before = peer.madeWay;
        peer.send((byte) 0x89, (byte) 0x80, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
        assertEquals(before, peer.madeWay);
    }

    private static final class InPlace implements Workers {

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public boolean isWorker() {
            return true;
        }
    }

    /** Records the calls, on the connection's thread. */
    private static final class Told implements NonBlockingWebSocketListener {

        final List<String> calls = new ArrayList<>();

        @Nullable
        WebSocketConnection connection;

        @Override
        public void onOpen(WebSocketConnection opened) {
            connection = opened;
            calls.add("onOpen");
        }

        @Override
        public void onText(WebSocketConnection opened, String message) {
            calls.add("onText");
        }

        @Override
        public void onError(WebSocketConnection opened, Throwable failure) {
            calls.add("onError " + failure.getClass().getSimpleName());
        }

        @Override
        public void onClose(WebSocketConnection opened, CloseStatus status) {
            calls.add("onClose " + status.code());
        }
    }

    /** The peer; everything runs on one thread. */
    private static final class Peer extends TestConnection implements Blocker {

        private final ArrayDeque<Chunk> input = new ArrayDeque<>();
        private @Nullable ConnectionHandler handler;
        private boolean awaited;
        boolean failsToWait;
        boolean closed;
        int madeWay;

        void open(WebSocketListener listener, Timers timers) {
            ExchangeDispatcher dispatcher = new ExchangeDispatcher(
                    new WebSocketHandler(listener), new InPlace(), timers, ExchangeOptions.defaults());
            handler = new Http1Protocol(Settings.DEFAULTS, "http").open(this, null, dispatcher);
            input.add(Chunk.wrap(ByteBuffer.wrap(HANDSHAKE.getBytes(StandardCharsets.ISO_8859_1))));
            handler.onReadable();
        }

        void send(byte... bytes) {
            input.add(Chunk.wrap(ByteBuffer.wrap(bytes)));
            assertTrue(awaited);
            awaited = false;
            Objects.requireNonNull(handler).onReadable();
        }

        @Override
        public Channel channel() {
            Channel all = super.channel();
            return new Channel(
                    all.info(), all.buffers(), all.sendsFiles(), all.emptyReadsCost(), this, all.timers(), all.meter());
        }

        @Override
        public boolean mayBlock() {
            return false;
        }

        @Override
        public void handedOver() {
            madeWay++;
        }

        @Override
        public @Nullable Chunk read() {
            return input.poll();
        }

        @Override
        public void awaitReadable() {
            if (failsToWait) {
                throw new OutOfMemoryError("planted by the test");
            }
            awaited = true;
        }

        @Override
        public void write(Payload payload, Completion completion) {
            completion.done(null);
        }

        @Override
        public void finish(Completion completion) {
            completion.done(null);
        }

        @Override
        public void install(ConnectionHandler changed) {
            handler = changed;
        }

        @Override
        public void idleTimeout(Duration timeout) {}

        @Override
        public void limitWrites(Duration limit) {}

        @Override
        public void close(@Nullable Throwable cause) {
            closed = true;
        }
    }
}
