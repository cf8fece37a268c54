package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.websocket.CloseReason;
import javax.websocket.Endpoint;
import javax.websocket.EndpointConfig;
import javax.websocket.MessageHandler;
import javax.websocket.PongMessage;
import javax.websocket.Session;
import javax.websocket.server.ServerEndpointConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Programmatic endpoints, sessions and remotes (JSR 356, 2): a session … */
@SuppressWarnings("FutureReturnValueIgnored") // the tests wait for the results
class ProgrammaticEndpointTest {

    private static final BlockingQueue<String> EVENTS = new LinkedBlockingQueue<>();
    private static volatile Consumer<Session> opened = session -> {};
    private EndpointServer server;

    /** Does what the test says. */
    public static final class Told extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            opened.accept(session);
        }

        @Override
        public void onClose(Session session, CloseReason reason) {
            EVENTS.add("close " + reason.getCloseCode().getCode());
        }

        @Override
        public void onError(Session session, Throwable failure) {
            EVENTS.add("error " + failure.getClass().getSimpleName());
        }
    }

    @BeforeEach
    void start() throws Exception {
        EVENTS.clear();
        server = EndpointServer.of(container -> container.addEndpoint(
                ServerEndpointConfig.Builder.create(Told.class, "/told").build()));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String event() throws InterruptedException {
        return String.valueOf(EVENTS.poll(30, TimeUnit.SECONDS));
    }

    private EndpointClient when(Consumer<Session> action) throws Exception {
        opened = action;
        return server.connect("/told");
    }

    /** An action of a test, which may throw an IOException. */
    private interface Sending {
        void run() throws Exception;
    }

    private static void doing(Sending sending) {
        try {
            sending.run();
        } catch (Exception e) {
            EVENTS.add("failed " + e);
            throw new IllegalStateException(e);
        }
    }

    private static void echo(Session session, String text) {
        doing(() -> session.getBasicRemote().sendText(text));
    }

    @Test
    void callsAHandlerOfEachKind() throws Exception {
        EndpointClient client = when(session -> {
            session.addMessageHandler(String.class, text -> echo(session, "whole " + text));
            session.addMessageHandler(ByteBuffer.class, (MessageHandler.Whole<ByteBuffer>)
                    data -> echo(session, "octets " + data.remaining()));
            session.addMessageHandler(
                    PongMessage.class,
                    pong -> echo(session, "pong " + pong.getApplicationData().remaining()));
        });
        assertEquals("text whole a", client.ask("a"));
        assertEquals("text octets 3", client.sendBinary("123").next());
        client.socket().sendPong(ByteBuffer.allocate(2));
        assertEquals("text pong 2", client.next());
    }

    /** Its class declares its message type. */
    private static final class Numbers implements MessageHandler.Whole<Integer> {
        private final Session session;

        Numbers(Session session) {
            this.session = session;
        }

        @Override
        public void onMessage(Integer number) {
            echo(session, "number " + number);
        }
    }

    @Test
    void derivesTheMessageTypeFromTheHandlersClass() throws Exception {
        EndpointClient client = when(session -> session.addMessageHandler(new Numbers(session)));
        assertEquals("text number 7", client.ask("7"));
        client.send("seven");
        assertEquals("error DecodeException", event());
    }

    @Test
    void hasOneHandlerOfAKind() throws Exception {
        EndpointClient client = when(session -> {
            MessageHandler.Whole<String> first = text -> echo(session, "first");
            session.addMessageHandler(String.class, first);
            assertThrows(
                    IllegalStateException.class,
                    () -> session.addMessageHandler(String.class, (MessageHandler.Partial<String>) (part, last) -> {}));
            assertThrows(IllegalStateException.class, () -> session.addMessageHandler(first));
            assertEquals(1, session.getMessageHandlers().size());
            session.removeMessageHandler(first);
            session.addMessageHandler(String.class, text -> echo(session, "second"));
        });
        assertEquals("text second", client.ask(""));
    }

    @Test
    void dropsMessagesOfWhichThereIsNoHandler() throws Exception {
        EndpointClient client = when(session -> session.addMessageHandler(String.class, text -> echo(session, text)));
        client.sendBinary("x".repeat(100_000));
        assertEquals("text still", client.ask("still"));
    }

    @Test
    void sendsByStreamAndWriter() throws Exception {
        EndpointClient client = when(session -> doing(() -> {
            try (Writer writer = session.getBasicRemote().getSendWriter()) {
                writer.write("written ");
                writer.flush();
                writer.write("in parts");
            }
            try (OutputStream stream = session.getBasicRemote().getSendStream()) {
                stream.write("octets".getBytes(StandardCharsets.US_ASCII));
                stream.write('!');
            }
        }));
        assertEquals("text written in parts", client.next());
        assertEquals("binary octets!", client.next());
    }

    @Test
    void sendsAMessageInPartsButNothingElseMeanwhile() throws Exception {
        EndpointClient client = when(session -> doing(() -> {
            session.getBasicRemote().sendText("one ", false);
            assertThrows(
                    IllegalStateException.class, () -> session.getBasicRemote().sendText("other"));
            assertThrows(
                    IllegalStateException.class,
                    () -> session.getBasicRemote().sendBinary(ByteBuffer.allocate(1), false));
            session.getBasicRemote().sendPing(ByteBuffer.wrap(new byte[] {'?'}));
            session.getBasicRemote().sendText("two", true);
        }));
        assertEquals("ping ?", client.next());
        assertEquals("text one two", client.next());
    }

    @Test
    void queuesWhatSeveralThreadsSend() throws Exception {
        int threads = 8;
        int each = 200;
        ExecutorService senders = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch ready = new CountDownLatch(1);
            EndpointClient client = when(session -> {
                for (int i = 0; i < threads; i++) {
                    String name = "sender " + i + " ".repeat(500);
                    senders.execute(() -> doing(() -> {
                        ready.await();
                        for (int n = 0; n < each; n++) {
                            session.getBasicRemote().sendText(name);
                            session.getAsyncRemote().sendText(name);
                        }
                    }));
                }
            });
            ready.countDown();
            for (int i = 0; i < 2 * threads * each; i++) {
                assertTrue(client.next().matches("text sender \\d {500}"));
            }
        } finally {
            senders.shutdownNow();
        }
    }

    @Test
    void completesASendHandlerAndAFuture() throws Exception {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        EndpointClient client = when(session -> {
            session.getAsyncRemote()
                    .sendText(
                            "one",
                            result -> EVENTS.add("sent " + result.isOK() + " "
                                    + Thread.currentThread()
                                            .getContextClassLoader()
                                            .equals(loader)));
            doing(() -> session.getAsyncRemote()
                    .sendBinary(ByteBuffer.wrap(new byte[] {'2'}))
                    .get(30, TimeUnit.SECONDS));
        });
        assertEquals("text one", client.next());
        assertEquals("binary 2", client.next());
        assertEquals("sent true true", event());
    }

    @Test
    void failsASendAfterTheEnd() throws Exception {
        BlockingQueue<Session> sessions = new LinkedBlockingQueue<>();
        EndpointClient client = when(sessions::add);
        Session session = sessions.take();
        var remote = session.getAsyncRemote();
        client.close(1000, "");
        assertEquals("close 1000", event());
        remote.sendText("late", result -> EVENTS.add("sent " + result.isOK()));
        assertEquals("sent false", event());
        assertThrows(IllegalStateException.class, session::getBasicRemote);
        session.close();
    }

    @Test
    void holdsABatchBackUntilItIsFlushed() throws Exception {
        EndpointClient client = when(session -> doing(() -> {
            session.getBasicRemote().setBatchingAllowed(true);
            assertTrue(session.getBasicRemote().getBatchingAllowed());
            session.addMessageHandler(
                    String.class,
                    text -> doing(() -> {
                        byte[] bytes = {'2'};
                        session.getBasicRemote().sendText("1");
                        session.getBasicRemote().sendBinary(ByteBuffer.wrap(bytes));
                        bytes[0] = 'x';
                        session.getAsyncRemote().sendText("3").get(30, TimeUnit.SECONDS);
                        session.getBasicRemote().flushBatch();
                        session.getBasicRemote().setBatchingAllowed(false);
                    }));
        }));
        assertEquals("text 1", client.ask("go"));
        assertEquals("binary 2", client.next());
        assertEquals("text 3", client.next());
    }

    @Test
    void refusesWhatCannotBeSent() throws Exception {
        EndpointClient client = when(session -> {
            var basic = session.getBasicRemote();
            assertThrows(IllegalArgumentException.class, () -> basic.sendText(null));
            assertThrows(IllegalArgumentException.class, () -> basic.sendBinary(null));
            assertThrows(IllegalArgumentException.class, () -> basic.sendObject(null));
            assertThrows(IllegalArgumentException.class, () -> basic.sendPing(ByteBuffer.allocate(126)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> session.getAsyncRemote().sendText("x", null));
            assertThrows(javax.websocket.EncodeException.class, () -> basic.sendObject(new Object()));
            echo(session, "done");
        });
        assertEquals("text done", client.next());
    }

    @Test
    void closesWithAReason() throws Exception {
        EndpointClient client = when(session ->
                doing(() -> session.close(new CloseReason(CloseReason.CloseCodes.TRY_AGAIN_LATER, "later"))));
        assertEquals("close 1013 later", client.next());
        assertEquals("close 1013", event());
    }

    @Test
    void endsAtOnceThoughThePeerIsSilent() throws Exception {
        opened =
                session -> doing(() -> session.close(new CloseReason(CloseReason.CloseCodes.TRY_AGAIN_LATER, "later")));
        try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            silent.getOutputStream()
                    .write(("GET " + "/app/told"
                                    + " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            // a peer has ten seconds for its close frame
            assertEquals("close 1013", EVENTS.poll(5, TimeUnit.SECONDS));
        }
    }

    @Test
    void sendsNoCodeThatMustNotBeSent() throws Exception {
        EndpointClient client = when(
                session -> doing(() -> session.close(new CloseReason(CloseReason.CloseCodes.CLOSED_ABNORMALLY, null))));
        assertEquals("close 1002", client.next());
    }

    @Test
    void endsWhenItWasIdleForTooLong() throws Exception {
        EndpointClient client = when(session -> session.setMaxIdleTimeout(50));
        assertTrue(client.next().startsWith("close 1001"));
        assertEquals("close 1006", event());
    }

    @Test
    void takesMessagesUpToTheSizeThatWasSet() throws Exception {
        EndpointClient client = when(session -> {
            session.setMaxTextMessageBufferSize(5);
            session.setMaxBinaryMessageBufferSize(6);
            assertEquals(5, session.getMaxTextMessageBufferSize());
            assertEquals(6, session.getMaxBinaryMessageBufferSize());
            session.addMessageHandler(String.class, text -> echo(session, text));
        });
        assertEquals("text 12345", client.ask("12345"));
        assertEquals(
                "close 1009 a text message is longer than 5 bytes; the option is org.apache.tomcat.websocket.textBufferSize",
                client.ask("123456"));
        assertEquals("error WebSocketException", event());
        assertEquals("close 1009", event());
    }

    @Test
    void knowsTheOpenSessionsOfItsEndpoint() throws Exception {
        EndpointClient client = when(session -> session.addMessageHandler(
                String.class,
                text -> echo(
                        session,
                        session.getOpenSessions().size() + " "
                                + session.getOpenSessions().contains(session))));
        assertEquals("text 1 true", client.ask(""));
        EndpointClient other = when(session -> echo(session, "hello"));
        assertEquals("text hello", other.next());
        assertEquals("text 2 true", client.ask(""));
        other.close(1000, "");
        assertEquals("close 1000", event());
        String answer = client.ask("");
        while (!answer.equals("text 1 true")) { // it is removed after its onClose
            answer = client.ask("");
        }
    }

    @Test
    void failsWithOnOpen() throws Exception {
        EndpointClient client = when(session -> {
            throw new IllegalStateException("as told");
        });
        assertEquals("close 1011", client.next());
        assertEquals("error IllegalStateException", event());
        assertEquals("close 1011", event());
    }

    @Test
    void failsASendThatAPeerDoesNotTakeInTime() throws Exception {
        BlockingQueue<Session> sessions = new LinkedBlockingQueue<>();
        opened = session -> {
            session.getUserProperties().put("org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT", 200L);
            sessions.add(session);
        };
        try (SilentClient silent = SilentClient.connect(server.port(), "/app/told")) {
            silent.awaitHead();
            Session session = sessions.take();
            assertThrows(IOException.class, () -> {
                String much = "x".repeat(1 << 20);
                while (true) {
                    session.getBasicRemote().sendText(much);
                }
            });
            assertTrue(event().startsWith("error "));
            assertEquals("close 1006", event());
        }
    }

    @Test
    void failsAnAsynchronousSendThatAPeerDoesNotTakeInTime() throws Exception {
        BlockingQueue<Session> sessions = new LinkedBlockingQueue<>();
        opened = sessions::add;
        try (SilentClient silent = SilentClient.connect(server.port(), "/app/told")) {
            silent.awaitHead();
            Session session = sessions.take();
            session.getAsyncRemote().setSendTimeout(100);
            BlockingQueue<Boolean> results = new LinkedBlockingQueue<>();
            String much = "x".repeat(1 << 20);
            for (int i = 0; i < 20; i++) {
                session.getAsyncRemote().sendText(much, result -> results.add(result.isOK()));
            }
            boolean all = true;
            for (int i = 0; i < 20; i++) {
                all &= results.take();
            }
            assertEquals(false, all);
        }
    }
}
