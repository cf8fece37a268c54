package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.protocol.FlushGuard;
import io.millrace.protocol.serial.Outbox;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When something is thrown at it, an outbox … */
@Timeout(60)
class OutboxTest {

    private final ScriptedConnection connection = new ScriptedConnection();
    private final Outbox outbox = new Outbox(connection, () -> {});
    private final List<@Nullable Throwable> told = new ArrayList<>();

    static Stream<Throwable> failures() {
        return Failures.all();
    }

    static Stream<Error> errors() {
        return Failures.errors();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void tellsTheCompletionOfAWriteThatThrewAndClosesTheConnection(Error thrown) {
        connection.refuseWrites(thrown);
        outbox.send(told::add, bytes("one"));
        assertEquals(1, told.size());
        assertSame(thrown, told.get(0));
        assertTrue(connection.isClosed());
        outbox.send(told::add, bytes("two"));
        assertEquals(2, told.size(), "what comes later is told too");
        assertEquals(0, connection.channel().buffers().outstanding());
    }

    @ParameterizedTest
    @MethodSource("failures")
    void goesOnToTellAfterACompletionThatThrew(Throwable thrown) {
        outbox.send(failure -> Failures.sneak(thrown), bytes("one"));
        assertTrue(connection.isClosed());
        assertSame(thrown, connection.cause());
        outbox.send(told::add, bytes("two"));
        outbox.close(thrown);
        assertEquals(1, told.size());
        assertEquals(0, connection.channel().buffers().outstanding());
    }

    @ParameterizedTest
    @MethodSource("failures")
    void isFreeForTheNextAfterWhatWasLeftForLaterThrew(Throwable thrown) {
        Throwable caught = null;
        try {
            outbox.send(failure -> outbox.afterwards(() -> Failures.sneak(thrown)), bytes("one"));
        } catch (Throwable propagated) {
            caught = propagated;
        }
        assertSame(thrown, caught);
        outbox.send(told::add, bytes("two"));
        assertEquals(1, told.size());
        assertEquals("onetwo", connection.sent());
    }

    @Test
    void leavesTheGuardToTheOthersIfItCannotBeFlushed() throws Exception {
        try (Timers timers = new Timers("test-timers")) {
            FlushGuard guard = new FlushGuard(timers);
            ScriptedConnection broken = new ScriptedConnection();
            Probe probe = new Probe(broken);
            broken.install(probe);
            broken.refuseWrites(new OutOfMemoryError("planted by the test"));
            new Outbox(broken, () -> {}).collect(guard, Completion.IGNORE, bytes("lost"));
            probe.awaitClosed();
            outbox.collect(guard, Completion.IGNORE, bytes("sent"));
            Deadline.await("it to be flushed", () -> connection.sent().equals("sent"));
        }
    }

    @Test
    void writesHeadAndEndAroundTheBodyWhereThatHasTheRoom() {
        ByteBuffer memory = body("body", 10);
        Payload.Bytes body = new Payload.Bytes(10, memory);
        outbox.send(told::add, body.framed(buffer("head"), buffer("end")));
        assertEquals("headbodyend", connection.sent());
        assertEquals("headbodyend", text(memory.position(6)), "in the body's own memory");
        assertEquals(1, told.size());
        assertEquals(0, connection.channel().buffers().outstanding());
    }

    @Test
    void writesAHeadThatIsLongerThanTheRoomBesideTheBody() {
        ByteBuffer memory = body("body", 3);
        outbox.send(told::add, new Payload.Bytes(3, memory).framed(buffer("head"), buffer("end")));
        outbox.send(told::add, bytes("rest"));
        assertEquals("headbodyendrest", connection.sent());
        assertEquals(2, told.size());
    }

    @Test
    void writesAnEndThatIsLongerThanTheRoomBesideTheBody() {
        ByteBuffer memory = body("body", 10);
        ByteBuffer exact = memory.slice(0, 14).position(10);
        outbox.send(told::add, new Payload.Bytes(10, exact).framed(buffer("head"), buffer("end")));
        assertEquals("headbodyend", connection.sent());
    }

    @Test
    void sendsABodyWithRoomAfterWhatWasCollected() {
        try (Timers timers = new Timers("test-timers")) {
            outbox.collect(new FlushGuard(timers), Completion.IGNORE, bytes("first"));
            outbox.send(told::add, new Payload.Bytes(10, body("body", 10)).framed(buffer("head"), buffer("")));
        }
        assertEquals("firstheadbody", connection.sent());
        assertEquals(0, connection.channel().buffers().outstanding());
    }

    private static ByteBuffer body(String text, int headroom) {
        ByteBuffer memory = ByteBuffer.allocate(100);
        memory.position(headroom).put(text.getBytes(StandardCharsets.ISO_8859_1));
        return memory.flip().position(headroom);
    }

    private static ByteBuffer buffer(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String text(ByteBuffer buffer) {
        return StandardCharsets.ISO_8859_1.decode(buffer).toString();
    }

    private static Payload bytes(String text) {
        return Payload.of(buffer(text));
    }
}
