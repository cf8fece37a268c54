package io.millrace.testkit;

import io.millrace.exchange.NonBlockingHandler;
import io.millrace.io.Completion;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.DeflateMode;
import io.millrace.websocket.MessageOutput;
import io.millrace.websocket.MessageStreams;
import io.millrace.websocket.NonBlockingWebSocketListener;
import io.millrace.websocket.PreparedMessage;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandshake;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.WebSocketOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The server of the {@link WebSocketContract}, whose path selects the behaviour. */
final class WebSocketContractServer {

    private final LinkedBlockingQueue<CloseStatus> closed = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> closedBy = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Throwable> errors = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<WebSocketConnection> paused = new LinkedBlockingQueue<>();
    private final Semaphore released = new Semaphore(0);
    private final AtomicInteger refused = new AtomicInteger();

    NonBlockingHandler handler(WebSocketOptions options) {
        return exchange -> {
            String path = exchange.request().path().decoded();
            WebSocketListener listener = switch (path) {
                case "/quick" -> new Quick();
                case "/streams" ->
                    MessageStreams.listener(streams -> streams.received().subscribe(streams.sender()));
                default -> new Listener(path);
            };
            WebSocketHandshake.accept(exchange, listener, changed(path, options));
        };
    }

    private static WebSocketOptions changed(String path, WebSocketOptions options) {
        return switch (path) {
            case "/takeover" -> options.with(WebSocketOptions.DEFLATE, DeflateMode.CONTEXT_TAKEOVER);
            case "/idle" -> options.with(WebSocketOptions.IDLE_TIMEOUT, Duration.ofMillis(50));
            case "/pinging" -> options.with(WebSocketOptions.PING_INTERVAL, Duration.ofMillis(300));
            case "/unanswered" -> options.with(WebSocketOptions.CLOSE_TIMEOUT, Duration.ofMillis(50));
            case "/flood" ->
                options.with(WebSocketOptions.SEND_TIMEOUT, Duration.ofMillis(200))
                        .with(WebSocketOptions.SEND_BUFFER_LIMIT, 100_000L);
            default -> options;
        };
    }

    /** Whether this transport calls handlers on the connection's own thread. */
    boolean isBlocking(String transport) {
        return transport.equals("bio");
    }

    /** How the next connection was closed. */
    CloseStatus closed() throws InterruptedException {
        return taken(closed);
    }

    /** The thread that called the listener then. */
    String closedBy() throws InterruptedException {
        return taken(closedBy);
    }

    boolean hasClosedAgain() {
        return !closed.isEmpty();
    }

    Throwable error() throws InterruptedException {
        return taken(errors);
    }

    int refused() {
        return refused.get();
    }

    private static <T> T taken(LinkedBlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS);
        if (next == null) {
            throw new AssertionError("the listener was not called");
        }
        return next;
    }

    /** Releases the listener that blocks. */
    void release() {
        released.release();
    }

    /** Waits until a listener has paused, and resumes. */
    void awaitAndResume() throws InterruptedException {
        taken(paused).resume();
    }

    /** Runs on the connection's thread. */
    private final class Quick extends Listener implements NonBlockingWebSocketListener {
        Quick() {
            super("/quick");
        }
    }

    private class Listener implements WebSocketListener {

        private final String path;
        private @Nullable MessageOutput output;

        Listener(String path) {
            this.path = path;
        }

        @Override
        public void onOpen(WebSocketConnection connection) {
            if (path.equals("/paused")) {
                connection.pause();
                paused.add(connection);
            }
        }

        @Override
        public boolean takesParts(WebSocketConnection connection, boolean text) {
            return path.equals("/parts");
        }

        @Override
        public void onText(WebSocketConnection connection, String message) throws Exception {
            switch (path) {
                case "/threads" -> sendFromThreads(connection, message.split(" ", -1));
                case "/between" -> sendBetween(connection);
                case "/corked" -> sendCorked(connection);
                case "/held" -> hold(connection);
                case "/prepared" -> connection.send(PreparedMessage.text("prepared ".repeat(100)));
                case "/close" -> {
                    connection.sendText("bye");
                    connection.close(new CloseStatus(4321, "of the test"));
                    connection.sendText("too late");
                }
                case "/unanswered" -> connection.close(CloseStatus.NORMAL);
                case "/throw" -> throw new IllegalStateException("thrown by the test");
                case "/flood" -> flood(connection);
                case "/racing" -> race(connection);
                case "/takeover" -> takeover(connection, message);
                default -> connection.sendText(message, Completion.IGNORE);
            }
        }

        private void takeover(WebSocketConnection connection, String message) {
            if (message.equals("prepared")) {
                connection.send(PreparedMessage.text("prepared ".repeat(100)), Completion.IGNORE);
            } else {
                connection.sendText(message);
            }
        }

        private void sendFromThreads(WebSocketConnection connection, String[] counts) throws InterruptedException {
            Thread[] threads = new Thread[Integer.parseInt(counts[0])];
            for (int i = 0; i < threads.length; i++) {
                String name = "t" + i;
                threads[i] = new Thread(() -> {
                    for (int k = 0; k < Integer.parseInt(counts[1]); k++) {
                        connection.sendText(name + " " + k);
                    }
                });
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }

        private void sendBetween(WebSocketConnection connection) {
            MessageOutput parts = connection.startMessage(true);
            parts.sendText("first", false, Completion.IGNORE);
            connection.sendText("other");
            connection.ping(ByteBuffer.allocate(0), Completion.IGNORE);
            parts.sendText("last", true, Completion.IGNORE);
        }

        private void sendCorked(WebSocketConnection connection) {
            connection.cork();
            for (int i = 0; i < 10; i++) {
                connection.sendText("corked " + i);
            }
            connection.ping(ByteBuffer.allocate(0), Completion.IGNORE);
            connection.flush();
        }

        private void hold(WebSocketConnection connection) throws InterruptedException {
            connection.sendText("held");
            if (!released.tryAcquire(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("not released");
            }
        }

        private void flood(WebSocketConnection connection) {
            byte[] large = new byte[10_000];
            while (connection.isOpen()) {
                connection.sendBinary(ByteBuffer.wrap(large), failure -> {
                    if (failure != null) {
                        refused.incrementAndGet();
                    }
                });
            }
        }

        private void race(WebSocketConnection connection) {
            Thread closing = new Thread(() -> connection.close(CloseStatus.NORMAL));
            closing.start();
            for (int i = 0; i < 20; i++) {
                connection.sendText("racing " + i, Completion.IGNORE);
            }
            connection.close(CloseStatus.GOING_AWAY);
        }

        @Override
        public void onBinary(WebSocketConnection connection, ByteBuffer message) {
            connection.sendBinary(message, Completion.IGNORE);
        }

        @Override
        public void onTextPart(WebSocketConnection connection, String part, boolean last) {
            output(connection, true, last).sendText(part, last, Completion.IGNORE);
        }

        @Override
        public void onBinaryPart(WebSocketConnection connection, ByteBuffer part, boolean last) {
            output(connection, false, last).sendBinary(part, last, Completion.IGNORE);
        }

        private MessageOutput output(WebSocketConnection connection, boolean text, boolean last) {
            MessageOutput open = output == null ? connection.startMessage(text) : output;
            output = last ? null : open;
            return open;
        }

        @Override
        public void onError(WebSocketConnection connection, Throwable failure) {
            errors.add(failure);
        }

        @Override
        public void onClose(WebSocketConnection connection, CloseStatus status) {
            closedBy.add(Thread.currentThread().getName());
            closed.add(status);
        }
    }
}
