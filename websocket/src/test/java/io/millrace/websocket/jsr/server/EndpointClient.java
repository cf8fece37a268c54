package io.millrace.websocket.jsr.server;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The JDK's client, which queues the messages that it receives. */
final class EndpointClient implements WebSocket.Listener {

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();
    private volatile @Nullable WebSocket socket;

    @Override
    public void onOpen(WebSocket opened) {
        socket = opened;
        opened.request(Long.MAX_VALUE);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
            events.add("text " + text);
            text.setLength(0);
        }
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        events.add((last ? "binary " : "part ") + StandardCharsets.ISO_8859_1.decode(data));
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer data) {
        events.add("ping " + StandardCharsets.ISO_8859_1.decode(data));
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer data) {
        events.add("pong " + StandardCharsets.ISO_8859_1.decode(data));
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        events.add("close " + code + (reason.isEmpty() ? "" : " " + reason));
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        events.add("error " + error);
    }

    WebSocket socket() {
        return Objects.requireNonNull(socket);
    }

    EndpointClient send(String message) throws Exception {
        socket().sendText(message, true).get(30, TimeUnit.SECONDS);
        return this;
    }

    EndpointClient send(String part, boolean last) throws Exception {
        socket().sendText(part, last).get(30, TimeUnit.SECONDS);
        return this;
    }

    EndpointClient sendBinary(String message) throws Exception {
        return sendBinary(message, true);
    }

    EndpointClient sendBinary(String part, boolean last) throws Exception {
        socket().sendBinary(ByteBuffer.wrap(part.getBytes(StandardCharsets.ISO_8859_1)), last)
                .get(30, TimeUnit.SECONDS);
        return this;
    }

    void close(int code, String reason) throws Exception {
        socket().sendClose(code, reason).get(30, TimeUnit.SECONDS);
    }

    /** The next message or event. */
    String next() throws InterruptedException {
        String event = events.poll(30, TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("nothing came");
        }
        return event;
    }

    /** Sends a text, and returns the next message or event. */
    String ask(String message) throws Exception {
        return send(message).next();
    }
}
