package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import javax.servlet.Filter;
import javax.servlet.MultipartConfigElement;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.Part;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A form that comes slowly … */
class FormArrivalTest {

    private static final int LIMIT = 300_000;
    private static final int FAR_BEYOND = 200 << 20;

    @TempDir
    Path directory;

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger destroyed = new AtomicInteger();
    private final AtomicInteger filesSeen = new AtomicInteger();

    private Deployed deploy(Carrier carrier) throws IOException {
        MultipartConfigElement config = new MultipartConfigElement(directory.toString(), -1, LIMIT, 0);
        return Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet("parts", Serving.with(this::parts), registration -> {
                            registration.addMapping("/parts");
                            registration.setMultipartConfig(config);
                        })
                        .servlet("raw", Serving.with(this::raw), registration -> {
                            registration.addMapping("/raw");
                            registration.setMultipartConfig(config);
                        })
                        .servlet(
                                "parameter",
                                Serving.with((request, response) -> {
                                    calls.incrementAndGet();
                                    response.getWriter()
                                            .print(request.getParameter("a").length());
                                }),
                                "/parameter")
                        .servlet(
                                "hello",
                                Serving.with((request, response) ->
                                        response.getWriter().print("hello")),
                                "/hello")
                        .listener(new ServletRequestListener() {
                            @Override
                            public void requestDestroyed(ServletRequestEvent event) {
                                destroyed.incrementAndGet();
                            }
                        }));
    }

    private void parts(HttpServletRequest request, HttpServletResponse response) throws Exception {
        calls.incrementAndGet();
        StringBuilder seen = new StringBuilder();
        for (Part part : request.getParts()) {
            seen.append(part.getName()).append(':').append(part.getSize()).append(' ');
        }
        response.getWriter().print(seen);
    }

    private void raw(HttpServletRequest request, HttpServletResponse response) throws IOException {
        calls.incrementAndGet();
        response.getWriter().print(sum(request.getInputStream().readAllBytes()));
    }

    private static String sum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return bytes.length + "/" + sum.getValue();
    }

    private static byte[] upload(int size) {
        return ("--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\n"
                        + "0123456789".repeat(size / 10) + "\r\n--b--\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String head(String path, String type, int length) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: " + type
                + "\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private int filesLeft() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return (int) files.count();
        }
    }

    @ParameterizedTest
    @MethodSource("io.millrace.servlet.Carrier#all")
    void isThereWhenTheServletIsCalled(Carrier carrier) throws Exception {
        int size = carrier == Carrier.DRIP ? 20_000 : 200_000;
        byte[] body = upload(size);
        try (Deployed app = deploy(carrier);
                RawClient client = RawClient.connect(app.port())) {
            client.send(head("/parts", "multipart/form-data; boundary=b", body.length));
            client.send(new String(body, 0, 15_000, StandardCharsets.ISO_8859_1));
            assertEquals("hello", app.body("/hello"));
            assertEquals(0, calls.get());
            client.send(new String(body, 15_000, body.length - 15_000, StandardCharsets.ISO_8859_1));
            String answer = client.readTextToEnd();
            assertTrue(answer.endsWith("f:" + size + " "), answer);
        }
        assertEquals(0, filesLeft());
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 10_000, 200_000})
    void isReadAsItCameByWhoeverReadsTheStream(int size) throws Exception {
        byte[] body = upload(size);
        try (Deployed app = deploy(Carrier.byDefault());
                RawClient client = RawClient.connect(app.port())) {
            client.send(head("/raw", "multipart/form-data; boundary=b", body.length));
            client.send(new String(body, 0, 60, StandardCharsets.ISO_8859_1));
            assertEquals("hello", app.body("/hello"));
            client.send(new String(body, 60, body.length - 60, StandardCharsets.ISO_8859_1));
            String answer = client.readTextToEnd();
            assertTrue(answer.endsWith("\r\n" + sum(body)), answer);
        }
        assertEquals(0, filesLeft());
    }

    @ParameterizedTest
    @MethodSource("io.millrace.servlet.Carrier#polled")
    void holdsNoWorker(Carrier carrier) throws Exception {
        List<RawClient> slow = new ArrayList<>();
        try (Deployed app = deploy(carrier)) {
            for (int i = 0; i < 300; i++) { // a pool has 200 workers
                RawClient client = RawClient.connect(app.port());
                slow.add(client);
                boolean form = i % 2 == 0;
                client.send(
                        form
                                ? head("/parameter", "application/x-www-form-urlencoded", 10) + "a=123"
                                : head("/parts", "multipart/form-data; boundary=b", 1000) + "--b\r\n");
            }
            assertEquals("hello", app.body("/hello"));
            assertEquals(0, calls.get());
            String answer = slow.get(0).send("45678").readTextToEnd();
            assertTrue(answer.endsWith("\r\n8"), answer);
            for (RawClient client : slow) {
                client.reset();
            }
            Deadline.await("all to be over", () -> destroyed.get() == 301);
        }
        assertEquals(0, filesLeft());
    }

    @ParameterizedTest
    @ValueSource(ints = {LIMIT, 100})
    void isNotWaitedForBeyondWhatTheServletTakes(int announced) throws Exception {
        try (Deployed app = deploy(Carrier.byDefault());
                RawClient client = RawClient.connect(app.port())) {
            boolean chunked = announced < LIMIT;
            String head = head("/parts", "multipart/form-data; boundary=b", LIMIT + 1);
            client.send(chunked ? head.replaceFirst("Content-Length: [0-9]+", "Transfer-Encoding: chunked") : head);
            if (chunked) {
                byte[] body = upload(LIMIT);
                client.send(Integer.toHexString(body.length) + "\r\n" + new String(body, StandardCharsets.ISO_8859_1));
            }
            String answer = client.readUntil("\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 413 "), answer);
        }
        Deadline.await("no file to be left", () -> filesLeftQuietly() == 0);
    }

    private int filesLeftQuietly() {
        try {
            return filesLeft();
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void isNotWaitedForIfTheClientWaits() throws Exception {
        try (Deployed app = deploy(Carrier.byDefault());
                RawClient client = RawClient.connect(app.port())) {
            client.send(
                    head("/raw", "multipart/form-data; boundary=b", 3).replace("Host", "Expect: 100-continue\r\nHost"));
            assertTrue(client.readUntil("\r\n\r\n").startsWith("HTTP/1.1 100 "));
            assertEquals(1, calls.get());
            client.send("abc");
            assertTrue(client.readTextToEnd().contains("3/"));
        }
    }

    /** The client goes on for ever, and nobody asked for anything. */
    @ParameterizedTest
    @MethodSource("io.millrace.servlet.Carrier#whole")
    void isNotKeptForAFilterThatRefusesIt(Carrier carrier) throws Exception {
        try (Deployed app = Deployed.on(carrier, behindAGuard());
                RawClient client = RawClient.connect(app.port())) {
            client.send(head("/parts", "multipart/form-data; boundary=b", 0)
                    .replace("Content-Length: 0", "Transfer-Encoding: chunked"));
            CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> readStatus(client));
            byte[] piece = upload(65_000);
            byte[] chunk = (Integer.toHexString(piece.length) + "\r\n" + new String(piece, StandardCharsets.ISO_8859_1)
                            + "\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1);
            int sent = 0;
            try {
                while (!answer.isDone() && sent < FAR_BEYOND) {
                    client.send(chunk);
                    sent += piece.length;
                }
            } catch (IOException answeredAndClosed) {
                // what it sent beyond is not wanted
            }
            assertEquals("HTTP/1.1 401", answer.get(30, TimeUnit.SECONDS).substring(0, 12));
            assertTrue(sent < FAR_BEYOND);
            assertEquals(0, calls.get());
            assertEquals(0, filesSeen.get());
            assertEquals(0, filesLeft());
        }
    }

    /** One that announces more than maxPostSize is told at once. */
    @ParameterizedTest
    @ValueSource(strings = {"multipart/form-data; boundary=b", "application/x-www-form-urlencoded"})
    void isNotWaitedForBeforeAFilterIfItIsLarge(String type) throws Exception {
        try (Deployed app = Deployed.on(Carrier.byDefault(), behindAGuard());
                RawClient client = RawClient.connect(app.port())) {
            client.send(head("/parts", type, FAR_BEYOND));
            assertTrue(client.readUntil("\r\n").startsWith("HTTP/1.1 401"));
        }
    }

    private WebApplicationBuilder behindAGuard() {
        return WebApplication.builder("")
                .filter(
                        "guard",
                        (Filter) (request, response, chain) -> {
                            filesSeen.addAndGet(filesLeft());
                            ((HttpServletResponse) response).sendError(HttpServletResponse.SC_UNAUTHORIZED);
                        },
                        "/*")
                .servlet("parts", Serving.with(this::parts), registration -> {
                    registration.addMapping("/parts");
                    registration.setMultipartConfig(new MultipartConfigElement(directory.toString()));
                });
    }

    private static String readStatus(RawClient client) {
        try {
            return client.readUntil("\r\n\r\n");
        } catch (IOException e) {
            return e.toString();
        }
    }
}
