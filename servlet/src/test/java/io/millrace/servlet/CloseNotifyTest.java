package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.io.BufferPool;
import io.millrace.testkit.ContractLink;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.SocketLink;
import io.millrace.testkit.TestTls;
import io.millrace.testkit.TlsLink;
import io.millrace.tls.TlsOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import javax.servlet.AsyncContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a close_notify that came with the request, and no end of the TCP connection, … */
@OnEachCarrier
class CloseNotifyTest {

    private final Carrier carrier;
    private final CompletableFuture<AsyncContext> started = new CompletableFuture<>();

    @TempDir
    Path directory;

    CloseNotifyTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private Server start() throws Exception {
        Path keys = directory.resolve("keys.p12");
        try (OutputStream out = Files.newOutputStream(keys)) {
            TestTls.keyStore().store(out, TestTls.PASSWORD.toCharArray());
        }
        return Carrier.server(carrier.connector().tls(TlsOptions.keystore(keys, TestTls.PASSWORD)))
                .application(WebApplication.builder("")
                        .servlet(
                                "late",
                                Serving.with((request, response) -> started.complete(request.startAsync())),
                                "/*")
                        .build())
                .start();
    }

    @Test
    void aConnectionEndsOnceItsAsynchronousResponseIsSent() throws Exception {
        try (Server server = start();
                RawClient client = RawClient.connect(server.port())) {
            Together below = new Together(new SocketLink(client, new BufferPool(16)));
            TlsLink link = new TlsLink(below, TestTls.of("TLSv1.3").clientEngine());
            below.hold = true;
            link.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            link.finish();
            AsyncContext async = Deadline.await(started);
            async.getResponse().getWriter().print("late");
            async.complete();
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            byte[] some = link.receive();
            while (some.length > 0) {
                answer.write(some);
                some = link.receive();
            }
            assertTrue(answer.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\nlate"));
            assertEquals(0, below.receive().length, "the connection is kept");
        }
    }

    /** Sends at once what it was given before its end, which is none of the connection below. */
    private static final class Together implements ContractLink {

        private final ContractLink below;
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private boolean hold;

        Together(ContractLink below) {
            this.below = below;
        }

        @Override
        public void send(byte[] bytes) throws IOException {
            if (hold) {
                held.write(bytes);
            } else {
                below.send(bytes);
            }
        }

        @Override
        public void finish() throws IOException {
            below.send(held.toByteArray());
            hold = false;
        }

        @Override
        public byte[] receive() throws IOException {
            return below.receive();
        }

        @Override
        public void pause() {
            below.pause();
        }

        @Override
        public void breakOff() throws IOException {
            below.breakOff();
        }

        @Override
        public void checkNothingHeld() throws Exception {
            below.checkNothingHeld();
        }
    }
}
