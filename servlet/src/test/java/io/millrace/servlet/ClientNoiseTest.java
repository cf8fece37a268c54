package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.servlet.ServletException;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever a client does to its own request … */
@OnEachCarrier
class ClientNoiseTest {

    private static final int TIMES = 5;

    private final Carrier carrier;
    private final Semaphore called = new Semaphore(0);
    private final Semaphore over = new Semaphore(0);
    private final Recorder recorder = new Recorder();
    private final Logger logger = Logger.getLogger("io.millrace");

    ClientNoiseTest(Carrier carrier) {
        this.carrier = carrier;
    }

    @BeforeEach
    void listen() {
        logger.addHandler(recorder);
    }

    @AfterEach
    void listenNoMore() {
        logger.removeHandler(recorder);
    }

    private Deployed deploy(Serving.Action action) throws IOException {
        return Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet(
                                "noise",
                                Serving.with((request, response) -> {
                                    called.release();
                                    action.run(request, response);
                                }),
                                "/*")
                        .listener(new ServletRequestListener() {
                            @Override
                            public void requestDestroyed(ServletRequestEvent event) {
                                over.release();
                            }
                        }));
    }

    @Test
    void logsNothingOfUploadsThatAreBrokenOff() throws Exception {
        List<Serving.Action> readers =
                List.of((request, response) -> request.getInputStream().readAllBytes(), (request, response) -> {
                    try {
                        request.getReader().readLine();
                    } catch (IOException e) {
                        throw new IllegalStateException("framework", new ServletException(e));
                    }
                });
        for (Serving.Action reader : readers) {
            try (Deployed app = deploy(reader)) {
                for (int i = 0; i < TIMES; i++) {
                    breakOff(app);
                }
            }
        }
        assertEquals(List.of(), recorder.lines);
    }

    @Test
    void logsNothingOfMalformedBodies() throws Exception {
        try (Deployed app = deploy((request, response) -> {
            ServletInputStream in = request.getInputStream();
            try {
                in.readAllBytes();
            } catch (IOException e) {
                throw new IllegalStateException("framework", e);
            }
        })) {
            for (int i = 0; i < TIMES; i++) {
                try (RawClient client = RawClient.connect(app.port())) {
                    client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nodd\r\n");
                    assertTrue(client.readTextToEnd().startsWith("HTTP/1.1 400 "));
                }
            }
        }
        assertEquals(List.of(), recorder.lines);
    }

    private void breakOff(Deployed app) throws Exception {
        try (RawClient client = RawClient.connect(app.port())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n01234");
            assertTrue(called.tryAcquire(30, TimeUnit.SECONDS));
            client.reset();
        }
        assertTrue(over.tryAcquire(30, TimeUnit.SECONDS));
    }

    /** What an operator sees. */
    private static final class Recorder extends Handler {

        private final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord entry) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue() || entry.getThrown() != null) {
                lines.add(entry.getLevel() + " " + entry.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
