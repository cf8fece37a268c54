package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.EncodedSlash;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.RequestAssembly;
import io.millrace.protocol.RequestRules;
import io.millrace.protocol.serial.SerialCodec;
import io.millrace.protocol.serial.SerialConnection;
import io.millrace.protocol.serial.SerialStream;
import io.millrace.protocol.serial.SerialTimes;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** It serves the smallest protocol there is: a path, and a line feed; the answer is the response's body. And it … */
class SerialConnectionTest {

    private final ScriptedConnection connection = new ScriptedConnection();
    private final List<HttpStream> running = new ArrayList<>();
    private final List<@Nullable Throwable> closed = new ArrayList<>();
    private @Nullable Error inCodec;
    private @Nullable Error inDispatcher;

    @AfterEach
    void keepsNoChunk() {
        connection.close(null);
        assertEquals(0, connection.channel().buffers().outstanding());
    }

    @Test
    void servesOneRequestAfterTheOther() {
        start();
        connection.receive("/a\n/b\n/");
        answer("A");
        answer("B");
        connection.receive("c\n");
        answer("C");
        assertEquals("ABC", connection.sent());
        assertEquals(Duration.ofSeconds(2), connection.timeout());
    }

    @Test
    void closesWhatItsCodecFailsOn() {
        start();
        inCodec = new StackOverflowError("in a test");
        connection.receive("/a\n");
        assertTrue(connection.isClosed());
        assertSame(inCodec, connection.cause());
    }

    @Test
    void closesWhatItsCodecFailsOnWhenTimeIsUp() {
        start();
        connection.receive("/a");
        inCodec = new AssertionError("in a test");
        connection.idle();
        assertSame(inCodec, connection.cause());
    }

    @Test
    void tellsAnExchangeWhoseDispatcherFailed() {
        inDispatcher = new OutOfMemoryError("in a test");
        start();
        connection.receive("/a\n");
        assertSame(inDispatcher, connection.cause());
        assertEquals(List.of(inDispatcher), closed);
    }

    @Test
    void tellsAnExchangeWhoseReaderFailed() {
        start();
        connection.receive("/body\n");
        Error wrong = new AssertionError("in a test");
        connection.run(() -> running.get(0).awaitReadable(() -> {
            throw wrong;
        }));
        connection.receive("x");
        assertSame(wrong, connection.cause());
        assertEquals(List.of(wrong), closed);
    }

    @Test
    void readsNothingMoreAfterTheLastRequest() {
        start();
        connection.receive("/a\n.\n/b\n");
        answer("A");
        assertEquals(0, running.size());
        assertTrue(connection.isFinished());
        connection.receiveEnd();
        assertTrue(connection.isClosed());
        assertNull(connection.cause());
    }

    private void start() {
        SerialTimes times =
                SerialTimes.of(Settings.DEFAULTS, Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3));
        Dispatcher dispatcher = (request, stream) -> {
            running.add(stream);
            stream.onClosed(closed::add);
            if (inDispatcher != null) {
                throw inDispatcher;
            }
        };
        connection.start(new SerialConnection(connection, null, dispatcher, new LineCodec(), times, false));
    }

    private void answer(String text) {
        HttpStream stream = running.remove(0);
        Payload payload = Payload.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        connection.run(() -> stream.send(new ResponseHead(), payload, true, failed -> stream.end()));
    }

    /** A path to the end of its line is a request; a dot is the last one. */
    private final class LineCodec implements SerialCodec {

        private final RequestRules rules =
                new RequestRules(0, EncodedSlash.REJECT, StandardCharsets.UTF_8, false, false);

        private final StringBuilder line = new StringBuilder();

        @Override
        public Next next(SerialConnection connection) throws IOException {
            for (Chunk chunk = connection.input().next();
                    chunk != null;
                    chunk = connection.input().next()) {
                if (chunk.isEnd()) {
                    return Next.LAST;
                }
                boolean whole;
                try {
                    whole = take(chunk.bytes());
                } finally {
                    connection.input().keep(chunk);
                }
                if (whole) {
                    return request(connection);
                }
            }
            return line.isEmpty() ? Next.NOTHING : Next.PART_OF_HEAD;
        }

        private boolean take(ByteBuffer in) {
            if (inCodec != null) {
                throw inCodec;
            }
            while (in.hasRemaining()) {
                char c = (char) in.get();
                if (c == '\n') {
                    return true;
                }
                line.append(c);
            }
            return false;
        }

        private Next request(SerialConnection connection) {
            String path = line.toString();
            line.setLength(0);
            if (path.equals(".")) {
                return Next.LAST;
            }
            RequestAssembly request = new RequestAssembly(rules);
            request.target(path, rules.path(path), null, null);
            RequestHead head = request.head("GET", HttpVersion.HTTP_1_0, "http", 0);
            return connection.request(new LineStream(connection, head));
        }

        @Override
        public Duration timeLeft(Next what, Duration limit) {
            return limit;
        }

        @Override
        public void headOverdue(SerialConnection connection) {
            if (inCodec != null) {
                throw inCodec;
            }
        }

        @Override
        public boolean isAllUsed() {
            return line.isEmpty();
        }
    }

    /** Has no head, and a body only if its path says so. */
    private static final class LineStream extends SerialStream {

        LineStream(SerialConnection connection, RequestHead request) {
            super(connection, request);
        }

        @Override
        protected @Nullable Chunk readBody() {
            return isBodyAtHand() ? Chunk.END : null;
        }

        @Override
        protected boolean isBodyAtHand() {
            return !request().target().equals("/body");
        }

        @Override
        protected Duration beginWait() {
            return Duration.ZERO;
        }

        @Override
        protected IOException overdue() {
            return new IOException("too slow");
        }

        @Override
        public void send(@Nullable ResponseHead head, Payload body, boolean last, Completion completion) {
            connection().outbox().send(completion, body);
        }

        @Override
        public void tunnel(ResponseHead head, Duration idleTimeout, Consumer<HttpStream> opened) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void end() {
            ended();
        }

        @Override
        protected SerialCodec.Next finish() {
            return SerialCodec.Next.HANDLED;
        }

        @Override
        protected boolean isPersistent() {
            return true;
        }

        @Override
        protected boolean isAllUsed() {
            return true;
        }
    }
}
