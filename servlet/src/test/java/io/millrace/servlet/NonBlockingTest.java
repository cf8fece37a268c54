package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.servlet.AsyncContext;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

class NonBlockingTest {

    private static final int SIZE = 8 * 1024 * 1024;

    /** Sends the size asked for, and only while the stream is ready. */
    private static final class Sender implements WriteListener {

        private final byte[] piece = new byte[10_000];
        private final AsyncContext async;
        private final ServletOutputStream out;
        private final CompletableFuture<Throwable> failure;
        private int left = SIZE;

        Sender(AsyncContext async, ServletOutputStream out, CompletableFuture<Throwable> failure) {
            this.async = async;
            this.out = out;
            this.failure = failure;
        }

        @Override
        public void onWritePossible() throws IOException {
            while (out.isReady()) {
                if (left == 0) {
                    async.complete();
                    return;
                }
                int count = Math.min(left, piece.length);
                out.write(piece, 0, count);
                left -= count;
            }
        }

        @Override
        public void onError(Throwable thrown) {
            failure.complete(thrown);
            async.complete();
        }
    }

    /** Sends back what it reads, once it has all. */
    private static final class Echo implements ReadListener {

        private final AsyncContext async;
        private final ServletInputStream in;
        private final ByteArrayOutputStream all = new ByteArrayOutputStream();

        Echo(AsyncContext async, ServletInputStream in) {
            this.async = async;
            this.in = in;
        }

        @Override
        public void onDataAvailable() throws IOException {
            byte[] bytes = new byte[1000];
            while (in.isReady()) {
                int count = in.read(bytes);
                if (count < 0) {
                    return;
                }
                all.write(bytes, 0, count);
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            async.getResponse().getOutputStream().write(all.toByteArray());
            async.complete();
        }

        @Override
        public void onError(Throwable thrown) {
            async.complete();
        }
    }

    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    private Deployed deploy() throws IOException {
        return Deployed.of(WebApplication.builder("")
                .servlet("send", Serving.with(this::send), "/send")
                .servlet("echo", Serving.with(NonBlockingTest::echo), "/echo")
                .listener(new javax.servlet.ServletRequestListener() {
                    @Override
                    public void requestDestroyed(javax.servlet.ServletRequestEvent event) {
                        ended.countDown();
                    }
                }));
    }

    private void send(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        ServletOutputStream out = response.getOutputStream();
        out.setWriteListener(new Sender(async, out, failure));
    }

    private static void echo(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = request.startAsync();
        ServletInputStream in = request.getInputStream();
        in.setReadListener(new Echo(async, in));
    }

    @Test
    void writesWhileTheClientTakesIt() throws Exception {
        try (Deployed app = deploy();
                RawClient client =
                        RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), app.port()), 4096)) {
            client.send("GET /send HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            byte[] all = client.readToEnd();
            assertTrue(all.length > SIZE);
            Deadline.await(ended);
        }
    }

    @Test
    void tellsTheListenerThatTheClientIsGone() throws Exception {
        try (Deployed app = deploy();
                RawClient client =
                        RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), app.port()), 4096)) {
            client.send("GET /send HTTP/1.1\r\nHost: x\r\n\r\n");
            client.read(1000);
            client.reset();
            assertTrue(Deadline.await(failure) instanceof IOException);
            Deadline.await(ended);
        }
    }

    @Test
    void readsWhatComesBitByBit() throws Exception {
        try (Deployed app = deploy();
                RawClient client = RawClient.connect(app.port())) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nConnection: close\r\n\r\n");
            assertTrue(client.isSilentFor(java.time.Duration.ofMillis(50)));
            client.send("01234");
            assertTrue(client.isSilentFor(java.time.Duration.ofMillis(50)));
            client.send("56789");
            assertTrue(client.readTextToEnd().endsWith("\r\n\r\n0123456789"));
        }
    }

    @Test
    void readsAnEmptyBody() throws Exception {
        try (Deployed app = deploy()) {
            assertEquals("", app.post("/echo", "text/plain", "").body());
        }
    }

    @Test
    void readsALargeBody() throws Exception {
        String body = "0123456789abcdef".repeat(50_000);
        try (Deployed app = deploy()) {
            assertArrayEquals(
                    body.getBytes(StandardCharsets.US_ASCII),
                    app.post("/echo", "text/plain", body).body().getBytes(StandardCharsets.US_ASCII));
        }
    }
}
