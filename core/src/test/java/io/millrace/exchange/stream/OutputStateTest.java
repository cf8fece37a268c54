package io.millrace.exchange.stream;

import static io.millrace.exchange.stream.OutputState.COLLECTING;
import static io.millrace.exchange.stream.OutputState.OVER;
import static io.millrace.exchange.stream.OutputState.STARTING;
import static io.millrace.exchange.stream.OutputState.WAITING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.exchange.stream.OutputState.Event;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every event in every state. */
final class OutputStateTest {

    private static final Map<OutputState, Map<Event, OutputState>> TABLE = Map.of(
            COLLECTING, Map.of(Event.START, STARTING, Event.LAST, OVER, Event.STOP, OVER),
            STARTING, Map.of(Event.RETURN, WAITING, Event.DONE, COLLECTING, Event.STOP, OVER),
            WAITING, Map.of(Event.DONE, COLLECTING, Event.STOP, OVER),
            OVER,
                    Map.of(
                            Event.START, OVER,
                            Event.LAST, OVER,
                            Event.RETURN, OVER,
                            Event.DONE, OVER,
                            Event.STOP, OVER));

    @Test
    void goesWhereTheTableSaysAndNowhereElse() {
        for (OutputState from : OutputState.values()) {
            for (Event event : Event.values()) {
                OutputState to = to(from, event);
                if (to == null) {
                    assertThrows(IllegalStateException.class, () -> OutputState.next(from, event));
                } else {
                    assertEquals(to, OutputState.next(from, event), from + " " + event);
                }
            }
        }
    }

    private static @Nullable OutputState to(OutputState from, Event event) {
        return TABLE.getOrDefault(from, Map.of()).get(event);
    }
}
