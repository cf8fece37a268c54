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
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletOutputStream;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

@OnEachCarrier
class NonBlockingTest {

    private final Carrier carrier;

    /** Sends the size asked for, and only while the stream is ready. */
    private static final class Sender implements WriteListener {

        private final byte[] piece = new byte[10_000];
        private final AsyncContext async;
        private final ServletOutputStream out;
        private final CompletableFuture<Throwable> failure;
        private int left;

        Sender(AsyncContext async, ServletOutputStream out, CompletableFuture<Throwable> failure, int size) {
            this.left = size;
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

    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    NonBlockingTest(Carrier carrier) {
        this.carrier = carrier;
    }

    /** More than any socket's buffers hold, but where bytes come one by one. */
    private int size() {
        return carrier == Carrier.DRIP ? 200_000 : 8 * 1024 * 1024;
    }

    private Deployed deploy() throws IOException {
        return Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet("send", Serving.with(this::send), "/send")
                        .servlet("echo", Serving.with(NonBlockingTest::echo), "/echo")
                        .listener(new EndOfRequest()));
    }

    private final class EndOfRequest implements ServletRequestListener {
        @Override
        public void requestDestroyed(ServletRequestEvent event) {
            ended.countDown();
        }
    }

    private void send(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        ServletOutputStream out = response.getOutputStream();
        out.setWriteListener(new Sender(async, out, failure, size()));
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
            assertTrue(all.length > size());
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

    /**
     * Resets its connection and writes on until that fails; keeps the failure to itself, and waits in vain for somebody to
     * tell the application of it meanwhile.
     */
    private final class Stubborn implements WriteListener {

        private final ServletOutputStream out;
        private final CompletableFuture<RawClient> client;

        Stubborn(ServletOutputStream out, CompletableFuture<RawClient> client) {
            this.out = out;
            this.client = client;
        }

        @Override
        public void onWritePossible() {
            events.add("possible");
            try {
                client.join().reset();
                while (true) {
                    out.write(new byte[1000]);
                    out.flush();
                }
            } catch (IOException e) {
                Deadline.pass(Duration.ofMillis(100)); // long enough for those who would not wait for this call to end
                events.add("returns");
            }
        }

        @Override
        public void onError(Throwable thrown) {
            events.add("write error");
        }
    }

    /** Remembers what it is told. */
    private final class Recorder implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            events.add("complete");
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            events.add("timeout");
        }

        @Override
        public void onError(AsyncEvent event) {
            events.add("async error");
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            events.add("start");
        }
    }

    @Test
    void notifiesOnceOfALostConnectionWhenTheListenerHasReturned() throws Exception {
        CompletableFuture<RawClient> connected = new CompletableFuture<>();
        WebApplicationBuilder application = WebApplication.builder("")
                .servlet(
                        "write",
                        Serving.with((request, response) -> {
                            AsyncContext async = request.startAsync();
                            async.setTimeout(0);
                            async.addListener(new Recorder());
                            request.getInputStream().setReadListener(new ReadListener() {
                                @Override
                                public void onDataAvailable() {
                                    events.add("data");
                                }

                                @Override
                                public void onAllDataRead() {
                                    events.add("all");
                                }

                                @Override
                                public void onError(Throwable thrown) {
                                    events.add("read error");
                                }
                            });
                            response.getOutputStream()
                                    .setWriteListener(new Stubborn(response.getOutputStream(), connected));
                        }),
                        "/")
                .listener(new EndOfRequest());
        try (Deployed app = Deployed.on(carrier, application);
                RawClient client = RawClient.connect(app.port())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n");
            connected.complete(client);
            Deadline.await(ended);
        }
        assertEquals(
                List.of("possible", "returns", "write error", "read error", "async error", "complete"),
                List.copyOf(events));
    }

    @Test
    void readsWhatComesBitByBit() throws Exception {
        try (Deployed app = deploy();
                RawClient client = RawClient.connect(app.port())) {
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nConnection: close\r\n\r\n");
            assertTrue(client.isSilentFor(Duration.ofMillis(50)));
            client.send("01234");
            assertTrue(client.isSilentFor(Duration.ofMillis(50)));
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
        String body = "0123456789abcdef".repeat(size() / 160);
        try (Deployed app = deploy()) {
            assertArrayEquals(
                    body.getBytes(StandardCharsets.US_ASCII),
                    app.post("/echo", "text/plain", body).body().getBytes(StandardCharsets.US_ASCII));
        }
    }
}
