package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.NonBlockingHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A stream of events … */
class EventStreamTest {

    private static final EventStream.Options QUIET =
            EventStream.Options.DEFAULTS.withHeartbeat(Duration.ZERO).withMaxPending(10_000_000);

    private final AtomicReference<EventStream> opened = new AtomicReference<>();
    private final NonBlockingHandler opening = exchange -> opened.set(EventStream.open(exchange, QUIET));

    @Test
    void tellsEachListenerThatItHasEndedWhateverTheOthersDo() {
        Asked.get("/").of(opening);
        EventStream stream = Objects.requireNonNull(opened.get());
        List<String> told = new ArrayList<>();
        stream.onClose(() -> {
            throw new NoClassDefFoundError("for the test");
        });
        stream.onClose(() -> told.add("second"));
        stream.close();
        assertEquals(List.of("second"), told);
    }

    @Test
    void writesWhatWasSentWhileItWroteWithoutRecursion() {
        int[] left = {20_000};
        MemoryStream response = Asked.get("/").of(opening);
        EventStream stream = Objects.requireNonNull(opened.get());
        ServerEvent event = ServerEvent.of("x");
        response.onPiece(() -> {
            if (left[0] > 0) {
                left[0]--;
                assertTrue(stream.send(event));
            }
        });
        assertTrue(stream.send(event));
        assertEquals(0, left[0]);
        stream.close();
        assertEquals(":\n\n" + "data: x\n\n".repeat(20_001), response.body());
    }

    @Test
    void endsIfSomethingCannotBeWrittenAndDoesNotTroubleTheSender() {
        MemoryStream response = Asked.get("/").of(opening);
        response.onAbort(cause -> {});
        EventStream stream = Objects.requireNonNull(opened.get());
        List<String> told = new ArrayList<>();
        stream.onClose(() -> told.add("closed"));
        response.onPiece(() -> {
            throw new NoClassDefFoundError("for the test");
        });
        stream.send(ServerEvent.of("x"));
        assertTrue(stream.isClosed());
        assertEquals(List.of("closed"), told);
    }
}
