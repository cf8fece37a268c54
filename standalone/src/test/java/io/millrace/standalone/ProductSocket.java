package io.millrace.standalone;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A WebSocket to the product by the JDK's client, and what comes from there: whole text messages, and the close. */
final class ProductSocket implements WebSocket.Listener {

    private static final long SECONDS = 30;

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final StringBuilder message = new StringBuilder();
    private @Nullable WebSocket socket;

    private ProductSocket() {}

    static ProductSocket open(Product product, String path) throws Exception {
        return open(product, path, builder -> {});
    }

    /** @param more of the handshake */
    static ProductSocket open(Product product, String path, Consumer<WebSocket.Builder> more) throws Exception {
        ProductSocket made = new ProductSocket();
        URI uri = URI.create("ws://127.0.0.1:" + product.ports().get(0) + path);
        WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
        more.accept(builder);
        made.socket = builder.buildAsync(uri, made).get(SECONDS, TimeUnit.SECONDS);
        return made;
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        message.append(data);
        if (last) {
            events.add("text " + message);
            message.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        events.add("close " + code);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        events.add("error " + failure);
    }

    private WebSocket socket() {
        if (socket == null) {
            throw new IllegalStateException("not open");
        }
        return socket;
    }

    String subprotocol() {
        return socket().getSubprotocol();
    }

    void send(String text) throws Exception {
        socket().sendText(text, true).get(SECONDS, TimeUnit.SECONDS);
    }

    void close() throws Exception {
        socket().sendClose(WebSocket.NORMAL_CLOSURE, "").get(SECONDS, TimeUnit.SECONDS);
    }

    /** What comes next; "null" if nothing does for long. */
    String next() throws InterruptedException {
        return String.valueOf(events.poll(SECONDS, TimeUnit.SECONDS));
    }
}
