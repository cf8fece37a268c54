package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.ProtocolException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exchanges that fail: a handler throws, a request is malformed, a client disconnects. All on the test's thread. */
@Timeout(60)
final class ExchangeFailureTest {

    private final ExchangeFixture http = new ExchangeFixture();

    @AfterEach
    void stop() {
        http.close();
    }

    @Test
    void answers500WithoutTheReasonWhenAHandlerThrows() {
        RuntimeException failure = new RuntimeException("a secret");
        http.run(exchange -> {
            exchange.response().status(201).headers().add("X-Half", "done");
            ExchangeOutputStream.of(exchange).write(new byte[100]);
            throw failure;
        });
        assertEquals(500, http.stream.head().status());
        assertFalse(http.stream.head().headers().contains("X-Half"));
        assertFalse(http.stream.received().contains("secret"));
        assertEquals(http.stream.received().length(), http.stream.head().contentLength());
        assertEquals("end", http.stream.events().get(1));
        assertSame(failure, http.outcome().failure());
        assertEquals(500, http.outcome().status());
    }

    /** As opening a file fails when the process has too many open: the request is all right, and may be repeated. */
    @Test
    void answers503WhenTheProcessIsOutOfDescriptors() {
        IOException none = new FileSystemException("/srv/a.txt", null, "Too many open files");
        http.run(exchange -> {
            throw new UncheckedIOException(none);
        });
        assertEquals(503, http.stream.head().status());
        assertFalse(http.stream.received().contains("/srv"));
        assertEquals(503, http.outcome().status());
    }

    @Test
    void survivesErrorsToo() {
        http.run(exchange -> {
            throw new StackOverflowError();
        });
        assertEquals(500, http.stream.head().status());
    }

    @Test
    void abortsWhenAHandlerThrowsInTheMiddleOfItsResponse() {
        IOException failure = new IOException("the disk is gone");
        http.run(exchange -> {
            exchange.output().write(Requests.text("half"), false, Completion.IGNORE);
            throw failure;
        });
        assertEquals(List.of("head+4", "abort"), http.stream.events());
        assertSame(failure, http.stream.aborted);
        assertEquals(200, http.outcome().status());
    }

    @Test
    void keepsAResponseThatWasCompleteBeforeTheHandlerThrew() {
        http.run(exchange -> {
            exchange.output().write(Requests.text("whole"), true, Completion.IGNORE);
            throw new IllegalStateException("too late");
        });
        assertEquals(List.of("head+5 last", "end"), http.stream.events());
        assertNotNull(http.outcome().failure());
    }

    @Test
    void keepsAStreamThatWasClosedBeforeTheHandlerThrew() {
        http.stream.window(2);
        http.run(exchange -> {
            ExchangeOutputStream.of(exchange).write("whole".getBytes(StandardCharsets.US_ASCII));
            ExchangeOutputStream.of(exchange).flush();
            ExchangeOutputStream.of(exchange).write('!');
            ExchangeOutputStream.of(exchange).close();
            throw new IllegalStateException("too late");
        });
        http.stream.take(4);
        assertEquals(List.of("head+5", "1 last", "end"), http.stream.events());
    }

    @Test
    void answersARefusalWithItsStatus() {
        http.stream.supplyFailure(new ProtocolException(413, "4 GB, the limit is 2 MB (maxPostSize)"));
        http.run(exchange -> ExchangeInputStream.of(exchange).read());
        assertEquals(413, http.stream.head().status());
        assertEquals("end", http.stream.events().get(1));
    }

    @Test
    void findsTheRefusalBehindAFrameworksException() {
        http.stream.supplyFailure(new ProtocolException(400, "bad chunk"));
        http.run(exchange -> {
            try {
                ExchangeInputStream.of(exchange).read();
            } catch (IOException refused) {
                throw new IllegalArgumentException("can't parse", refused);
            }
        });
        assertEquals(400, http.stream.head().status());
    }

    @Test
    void takesAHandlersOwnIoTroubleForAFailureOfOurs() {
        http.run(exchange -> {
            throw new FileNotFoundException("template.html");
        });
        assertEquals(500, http.stream.head().status());
    }

    @Test
    void calls499WhenTheClientWasGoneBeforeItGotAnything() {
        http.stream.breakOff(new IOException("Connection reset"));
        http.run(exchange -> exchange.output().write(Requests.text("hello"), true, Completion.IGNORE));
        assertEquals(499, http.outcome().status());
        assertEquals(0, http.outcome().bytesSent());
        assertNotNull(http.outcome().failure());
        assertEquals("abort", http.stream.events().get(1));
    }

    @Test
    void calls499WhenTheClientWasGoneWhileItSent() {
        http.run(exchange -> {
            http.stream.breakOff(new IOException("Connection reset"));
            ExchangeInputStream.of(exchange).read();
        });
        assertEquals(499, http.outcome().status());
        assertEquals(List.of("abort"), http.stream.events());
    }

    @Test
    void failsWritesAfterAFailedOneQuietly() {
        http.stream.breakOff(new IOException("Connection reset"));
        List<@Nullable Throwable> failures = new ArrayList<>();
        http.run(exchange -> {
            exchange.output().write(Requests.text("one"), false, failures::add);
            exchange.output().write(Requests.text("two"), true, failures::add);
        });
        assertEquals(2, failures.size());
        assertTrue(failures.get(1) instanceof ClientClosedException);
        assertEquals(List.of("head+3", "abort"), http.stream.events());
    }

    @Test
    void letsAThrowAfterDispatchingEndTheExchange() {
        http.run(exchange -> {
            exchange.dispatch(next -> next.response().status(204));
            throw new IllegalStateException("after all");
        });
        assertEquals(500, http.stream.head().status());
    }

    @Test
    void sendsTheErrorPageOfItsResponder() {
        ErrorResponder responder = (exchange, status, failure) ->
                Payload.of(ByteBuffer.wrap(new byte[] {'n', 'o', (byte) ('0' + status / 100)}));
        http.run(
                exchange -> {
                    throw new IllegalStateException("oops");
                },
                new ExchangeOptions(1, responder));
        assertEquals("no5", http.stream.received());
        assertEquals(3, http.stream.head().contentLength());
    }

    @Test
    void answersEvenIfItsErrorPageFails() {
        ErrorResponder responder = (exchange, status, failure) -> {
            throw new IllegalStateException("broken too");
        };
        http.run(
                exchange -> {
                    throw new IllegalStateException("oops");
                },
                new ExchangeOptions(1, responder));
        assertEquals(500, http.stream.head().status());
        assertEquals(0, http.stream.head().contentLength());
    }
}
