package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.SwitchingStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * For tests of HTTP/1.1 (subclasses of {@link ProtocolContract}): what a client sends before the switch of protocols is complete is
 * the new protocol's first input, whenever it comes. A tunnel is what WebSockets and the servlets' {@code upgrade} run on, a
 * successor is what HTTP/2 is after its upgrade.
 */
public interface SwitchCases {

    /** When the client sends its first message. */
    enum When {
        WITH_THE_HEAD,
        /** The exchange is notified of the end of the connection, so that its input is watched. */
        WHILE_THE_EXCHANGE_IS_SUSPENDED,
        WHILE_THE_HANDLER_RUNS,
        /** Where the link cannot delay the write of the 101, it races with it. */
        WHILE_THE_SWITCH_IS_WRITTEN,
        AFTER_THE_SWITCH
    }

    /** A client on a new connection. */
    ContractClient clientOf(Dispatcher dispatcher) throws Exception;

    @TestFactory
    @DiffersByTransport
    default Stream<DynamicTest> handsOverAllThatTheClientSent() {
        List<DynamicTest> cases = new ArrayList<>();
        for (When when : When.values()) {
            for (int size : new int[] {1, 1000}) {
                cases.add(DynamicTest.dynamicTest(when + " to a tunnel by " + size, () -> check(when, false, size)));
                if (!isDeferred(when)) { // connections are handed to a successor instead of being dispatched
                    cases.add(DynamicTest.dynamicTest(
                            when + " to a successor by " + size, () -> check(when, true, size)));
                }
            }
        }
        return cases.stream();
    }

    private static boolean isDeferred(When when) {
        return when == When.WHILE_THE_EXCHANGE_IS_SUSPENDED || when == When.WHILE_THE_HANDLER_RUNS;
    }

    private void check(When when, boolean toSuccessor, int size) throws Exception {
        LinkedBlockingQueue<Runnable> later = new LinkedBlockingQueue<>();
        ContractClient client = clientOf((request, stream) -> {
            if (when == When.WHILE_THE_EXCHANGE_IS_SUSPENDED) {
                stream.onClosed(cause -> {});
            }
            if (isDeferred(when)) {
                later.add(() -> switchTo(request, stream, toSuccessor));
            } else {
                switchTo(request, stream, toSuccessor);
            }
        });
        ContractLink link = client.link();
        String head = "GET /switch HTTP/1.1\r\nHost: contract\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n";
        String early = "the first message";
        if (when == When.WHILE_THE_SWITCH_IS_WRITTEN) {
            client.pause();
        }
        if (when == When.WITH_THE_HEAD) {
            send(link, head + early, size);
        } else {
            send(link, head, head.length());
        }
        Runnable deferred = isDeferred(when) ? later.poll(Deadline.DEFAULT.toSeconds(), TimeUnit.SECONDS) : null;
        StringBuilder received = new StringBuilder();
        if (when == When.AFTER_THE_SWITCH) {
            receive(link, received, "\r\n\r\n");
        }
        if (when != When.WITH_THE_HEAD) {
            send(link, early, size);
        }
        if (deferred != null) {
            deferred.run();
        }
        receive(link, received, early);
        assertTrue(received.toString().startsWith("HTTP/1.1 101 "), received::toString);
        assertEquals(early, received.substring(received.indexOf("\r\n\r\n") + 4));
        send(link, ", the second", size);
        receive(link, received, ", the second");
        assertTrue(received.toString().endsWith(early + ", the second"), received::toString);
        client.finish();
        client.checkNothingHeld();
    }

    private static void send(ContractLink link, String text, int size) throws IOException {
        for (int from = 0; from < text.length(); from += size) {
            String part = text.substring(from, Math.min(text.length(), from + size));
            link.send(part.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private static void receive(ContractLink link, StringBuilder received, String end) throws IOException {
        while (received.indexOf(end) < 0) {
            byte[] more = link.receive();
            assertTrue(more.length > 0, () -> "the server ended the connection after " + received);
            received.append(new String(more, StandardCharsets.ISO_8859_1));
        }
    }

    private static void switchTo(RequestHead request, HttpStream stream, boolean toSuccessor) {
        ResponseHead head = new ResponseHead().status(101);
        head.headers().add("Upgrade", String.valueOf(request.headers().get("Upgrade")));
        if (!toSuccessor) {
            stream.tunnel(head, Duration.ZERO, SwitchCases::echo);
        } else if (!(stream instanceof SwitchingStream switching)
                || !switching.switchTo(head, SwitchCases::successor)) {
            throw new AssertionError("the connection was not handed over");
        }
    }

    private static ConnectionHandler successor(Connection connection, @Nullable Chunk unread) {
        Probe probe = new Probe(connection);
        return unread == null
                ? probe.onReadable(Probe::echo)
                : probe.onReadable(first -> {
                    probe.onReadable(Probe::echo);
                    connection.write(Payload.of(unread.bytes()), failed -> {
                        unread.release();
                        probe.echo();
                    });
                });
    }

    private static void echo(HttpStream tunnel) {
        try {
            Chunk chunk = tunnel.read();
            if (chunk == null) {
                tunnel.awaitReadable(() -> echo(tunnel));
            } else if (chunk.isEnd()) {
                tunnel.send(null, Payload.NOTHING, true, Completion.IGNORE);
                tunnel.end();
            } else {
                tunnel.send(null, Payload.of(chunk.bytes()), false, failed -> {
                    chunk.release();
                    echo(tunnel);
                });
            }
        } catch (IOException broken) {
            tunnel.abort(broken);
        }
    }
}
