package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.AJP_FLUSH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import io.millrace.testkit.AjpPacket;
import io.millrace.testkit.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** With a front end it … */
class ConversationTest {

    private static final Headers CHUNKED = new Headers().add("transfer-encoding", "chunked");

    @Test
    void answersPingsBetweenRequests() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpPacket.ping());
            ajp.receive(AjpFixture.get("/a").end());
            ajp.receive(AjpPacket.ping());
            assertEquals("[CPONG][HEAD 200][BODY /a]" + AjpFixture.END + "[CPONG]", ajp.sent());
        }
    }

    @Test
    void letsOthersGoFirstAfterManyPacketsInARow() {
        try (AjpFixture ajp = new AjpFixture()) {
            ByteArrayOutputStream pings = new ByteArrayOutputStream();
            for (int i = 0; i < 150; i++) {
                pings.writeBytes(AjpPacket.ping());
            }
            ajp.receive(pings.toByteArray());
            assertEquals("[CPONG]".repeat(64), ajp.sent());
            assertTrue(ajp.turns.runOne());
            assertEquals("[CPONG]".repeat(64), ajp.sent());
            ajp.turns.runAll();
            assertEquals("[CPONG]".repeat(22), ajp.sent());
        }
    }

    @Test
    void letsOthersGoFirstWhereToLookForARequestTooEarlyCosts() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.connection.chargeForEmptyReads();
            ajp.turns.haveOthersWait();
            ajp.receive(AjpFixture.get("/a").end());
            ajp.receive(AjpFixture.get("/b").end());
            assertEquals(1, ajp.requests.size());
            ajp.turns.runAll();
            assertEquals(2, ajp.requests.size());
        }
    }

    @Test
    void holdsNothingAndWaitsForKeepAliveTimeoutBetweenRequests() {
        try (AjpFixture ajp = new AjpFixture()) {
            assertEquals(Duration.ofSeconds(20), ajp.connection.timeout());
            ajp.receive(AjpFixture.get("/a").end());
            assertEquals(Duration.ofSeconds(5), ajp.connection.timeout());
            assertEquals(0, ajp.connection.channel().buffers().outstanding());
            assertTrue(ajp.connection.isAwaiting());
            ajp.connection.idle();
            assertTrue(ajp.connection.isFinished());
            ajp.connection.receiveEnd();
            assertTrue(ajp.connection.isClosed());
            assertNull(ajp.connection.cause());
        }
    }

    @Test
    void sendsASmallResponseInOneWrite() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpFixture.get("/a").end());
            assertEquals(1, ajp.connection.writes());
        }
    }

    @Test
    void asksForABodyOnlyWhenItIsRead() throws IOException {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpPacket.request(4, "HTTP/1.1", "/a", CHUNKED).end());
            assertEquals("", ajp.sent());
            assertNull(ajp.stream().read());
            assertEquals("[GET 8186]", ajp.sent());
            assertNull(ajp.stream().read());
            assertEquals("", ajp.sent());
            List<String> told = new ArrayList<>();
            ajp.stream().awaitReadable(() -> told.add("ready"));
            ajp.receive(AjpPacket.body("hello".getBytes(StandardCharsets.US_ASCII), 0, 5));
            assertEquals(List.of("ready"), told);
            assertEquals("hello", text(ajp.stream().read()));
            assertNull(ajp.stream().read());
            assertEquals("[GET 8186]", ajp.sent());
            ajp.stream().awaitReadable(() -> told.add("ready"));
            ajp.receive(AjpPacket.body(new byte[0], 0, 0));
            assertEquals(Chunk.END, ajp.stream().read());
            AjpFixture.answer(ajp.stream(), "ok");
            assertEquals("[HEAD 200][BODY ok]" + AjpFixture.END, ajp.sent());
        }
    }

    @Test
    void takesBothKindsOfEmptyPacketForTheEnd() throws IOException {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpPacket.request(4, "HTTP/1.1", "/a", CHUNKED).end());
            assertNull(ajp.stream().read());
            ajp.stream().awaitReadable(() -> {});
            ajp.receive(new byte[] {0x12, 0x34, 0, 2, 0, 0});
            assertEquals(Chunk.END, ajp.stream().read());
            AjpFixture.answer(ajp.stream(), "ok");
        }
    }

    @Test
    void doesNotAskForTheFirstPacketOfAnAnnouncedBodyNorBeyondItsEnd() throws IOException {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpFixture.post("/a", 7).end());
            assertNull(ajp.stream().read());
            assertEquals("", ajp.sent());
            ajp.stream().awaitReadable(() -> {});
            ajp.receive(AjpPacket.body("abcd".getBytes(StandardCharsets.US_ASCII), 0, 4));
            assertEquals("abcd", text(ajp.stream().read()));
            assertNull(ajp.stream().read());
            assertEquals("[GET 3]", ajp.sent());
            ajp.stream().awaitReadable(() -> {});
            ajp.receive(AjpPacket.body("efg".getBytes(StandardCharsets.US_ASCII), 0, 3));
            assertEquals("efg", text(ajp.stream().read()));
            assertEquals(Chunk.END, ajp.stream().read());
            assertEquals("", ajp.sent());
            AjpFixture.answer(ajp.stream(), "ok");
            assertEquals("[HEAD 200][BODY ok]" + AjpFixture.END, ajp.sent());
        }
    }

    @Test
    void dropsThePacketThatComesByItselfAndNobodyRead() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpFixture.post("/a", 20_000).end());
            assertEquals("[HEAD 200][BODY /a]", ajp.sent().replace(AjpFixture.END, ""));
            ajp.receive(AjpPacket.body(new byte[8186], 0, 8186));
            ajp.receive(AjpFixture.get("/b").end());
            assertEquals("[HEAD 200][BODY /b]" + AjpFixture.END, ajp.sent());
        }
    }

    @Test
    void tellsWhoReadsThatTheClientWentAway() throws IOException {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpFixture.post("/a", 7).end());
            ajp.receive(AjpPacket.body(new byte[0], 0, 0));
            ProtocolException thrown =
                    assertThrows(ProtocolException.class, () -> ajp.stream().read());
            assertEquals(400, thrown.status());
            AjpFixture.answer(ajp.stream(), "no");
            assertEquals("[HEAD 200][BODY no][END 0]", ajp.sent());
            ajp.connection.receiveEnd();
        }
    }

    /** Its next request needs the end of this response, so it would send nothing more either. */
    @Test
    void closesWhenAFrontEndEndsItsOutputInTheMiddleOfAResponse() {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpFixture.get("/a").end());
            ajp.connection.hold();
            AjpFixture.answer(ajp.stream(), "x".repeat(20_000));
            ajp.connection.receiveEnd();
            assertTrue(ajp.connection.isClosed());
        }
    }

    @Test
    void closesWhenMoreOfABodyComesThanWasAnnounced() {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpFixture.post("/a", 3).end());
            ajp.receive(AjpPacket.body(new byte[4], 0, 4));
            assertThrows(BadPacketException.class, () -> ajp.stream().read());
            assertTrue(ajp.connection.isClosed());
        }
    }

    @Test
    void closesWhenABodyPacketContradictsItself() {
        for (byte[] packet : List.of(
                new byte[] {0x12, 0x34, 0, 4, 0, 3, 1, 2},
                new byte[] {0x12, 0x34, 0, 4, 0, 1, 1, 2},
                new byte[] {0x12, 0x34, 0, 1, 0},
                new byte[] {0x12, 0x34, (byte) 0xff, (byte) 0xff, 0, 1},
                new byte[] {0x12, 0x35, 0, 3, 0, 1, 1},
                AjpPacket.ping())) {
            try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
                ajp.receive(AjpFixture.post("/a", 3).end());
                ajp.receive(packet);
                assertThrows(BadPacketException.class, () -> ajp.stream().read());
                assertTrue(ajp.connection.isClosed());
            }
        }
    }

    @Test
    void closesWhenABodyPacketComesThatNobodyAskedFor() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpFixture.get("/a").end());
            ajp.receive(AjpPacket.body(new byte[4], 0, 4));
            assertTrue(ajp.connection.isClosed());
        }
    }

    @Test
    void asksForABodyWhileAResponseIsUnderWay() throws IOException {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpPacket.request(4, "HTTP/1.1", "/a", CHUNKED).end());
            ajp.connection.hold();
            send(ajp.stream(), new ResponseHead(), "part", false);
            assertNull(ajp.stream().read());
            ajp.connection.unhold();
            assertEquals("[HEAD 200][BODY part][FLUSH][GET 8186]", ajp.sent());
            ajp.connection.breakOff();
        }
    }

    @Test
    void endsTheResponseOnlyWhenNobodyCanAskForMoreOfTheBody() throws IOException {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpPacket.request(4, "HTTP/1.1", "/a", CHUNKED).end());
            assertNull(ajp.stream().read());
            ajp.stream().send(new ResponseHead(), Payload.NOTHING, true, Completion.IGNORE);
            assertEquals("[GET 8186][HEAD 200]", ajp.sent());
            ajp.receive(AjpPacket.body(new byte[3], 0, 3));
            assertEquals(3, size(ajp.stream().read()));
            ajp.stream().end();
            assertEquals(AjpFixture.END, ajp.sent());
            ajp.receive(AjpFixture.get("/b").end());
            assertEquals(2, ajp.requests.size());
            AjpFixture.answer(ajp.stream(), "b");
        }
    }

    @Test
    void passesOnAtOnceWhatIsNotTheEnd() {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpFixture.get("/a").end());
            send(ajp.stream(), new ResponseHead(), "one", false);
            send(ajp.stream(), null, "two", true);
            assertEquals("[HEAD 200][BODY one][FLUSH][BODY two]" + AjpFixture.END, ajp.sent());
            ajp.stream().end();
        }
        try (AjpFixture ajp = new AjpFixture(options -> options.with(AJP_FLUSH, false), false)) {
            ajp.receive(AjpFixture.get("/a").end());
            send(ajp.stream(), new ResponseHead(), "one", false);
            assertEquals("[HEAD 200][BODY one]", ajp.sent());
            ajp.connection.breakOff();
        }
    }

    @Test
    void closesInsteadOfEndingAResponseThatIsTooShort() {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpFixture.get("/a").end());
            send(ajp.stream(), new ResponseHead().contentLength(10), "short", true);
            ajp.stream().end();
            assertEquals("[HEAD 200][BODY short]", ajp.sent());
            assertTrue(ajp.connection.isClosed());
        }
    }

    @Test
    void answersInsteadOfAHeadThatFitsNoPacket() {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpFixture.get("/a").end());
            ResponseHead head = new ResponseHead();
            head.headers().add("X-Large", "x".repeat(8200));
            send(ajp.stream(), head, "body", true);
            assertEquals("[HEAD 500]" + AjpFixture.END, ajp.sent());
            assertEquals(500, head.status());
            ajp.stream().end();
        }
    }

    @Test
    void saysThatThereIsNoUpgrade() {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpFixture.get("/a").end());
            UnsupportedOperationException thrown = assertThrows(
                    UnsupportedOperationException.class,
                    () -> ajp.stream().tunnel(new ResponseHead().status(101), Duration.ZERO, tunnel -> {}));
            assertTrue(String.valueOf(thrown.getMessage()).contains("cannot carry WebSocket"));
            assertEquals(
                    501,
                    assertInstanceOf(ProtocolException.class, thrown.getCause()).status());
            AjpFixture.answer(ajp.stream(), "no");
        }
    }

    @Test
    void drainsWithoutAnsweringPingsAndFinishesWhatRuns() {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpFixture.get("/a").end());
            ajp.connection.drain();
            AjpFixture.answer(ajp.stream(), "done");
            assertEquals("[HEAD 200][BODY done][END 0]", ajp.sent());
            assertTrue(ajp.connection.isClosed());
        }
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.connection.drain();
            ajp.receive(AjpPacket.ping());
            assertEquals("", ajp.sent());
            assertTrue(ajp.connection.isFinished());
            ajp.connection.receiveEnd();
            assertTrue(ajp.connection.isClosed());
        }
    }

    @Test
    void givesAPacketThatHasBegunASecondWhenToldToDrain() {
        try (AjpFixture ajp = new AjpFixture()) {
            byte[] packet = AjpFixture.get("/a").end();
            ajp.receive(Arrays.copyOf(packet, 7));
            ajp.connection.drain();
            assertFalse(ajp.connection.isClosed());
            assertTrue(ajp.connection.timeout().compareTo(ConnectionHandler.DRAIN_LIMIT) <= 0);
            ajp.receive(Arrays.copyOfRange(packet, 7, packet.length));
            assertEquals("[HEAD 200][BODY /a][END 0]", ajp.sent());
            assertTrue(ajp.connection.isClosed());
        }
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(Arrays.copyOf(AjpFixture.get("/a").end(), 7));
            ajp.connection.drain();
            Deadline.pass(ConnectionHandler.DRAIN_LIMIT);
            ajp.connection.idle();
            assertTrue(ajp.connection.isClosed());
        }
    }

    @Test
    void doesNotWaitForAnUnreadBodyWhenDraining() {
        try (AjpFixture ajp = new AjpFixture()) {
            ajp.receive(AjpFixture.post("/a", 9).end());
            ajp.connection.drain();
            assertTrue(ajp.connection.isFinished());
            ajp.connection.receiveEnd();
            assertTrue(ajp.connection.isClosed());
        }
    }

    @Test
    void noticesAFrontEndThatLeavesWhileAnExchangeWaitsForSomethingElse() {
        try (AjpFixture ajp = new AjpFixture(options -> options, false)) {
            ajp.receive(AjpFixture.get("/a").end());
            List<String> told = new ArrayList<>();
            ajp.stream().onClosed(cause -> told.add("gone"));
            ajp.connection.receiveEnd();
            assertEquals(List.of("gone"), told);
        }
    }

    private static void send(HttpStream stream, @Nullable ResponseHead head, String text, boolean last) {
        stream.send(head, Payload.of(bytes(text)), last, Completion.IGNORE);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String text(@Nullable Chunk chunk) {
        if (chunk == null) {
            throw new AssertionError("nothing was there");
        }
        String text = StandardCharsets.ISO_8859_1.decode(chunk.bytes()).toString();
        chunk.release();
        return text;
    }

    private static int size(@Nullable Chunk chunk) {
        return text(chunk).length();
    }
}
