package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class FlowTest {

    private static final Map<Flow, Map<Flow.Event, Flow>> TABLE = Map.of(
            Flow.READY, Map.of(Flow.Event.RUN, Flow.RUNNING, Flow.Event.REJECT, Flow.ENDING),
            Flow.RUNNING,
                    Map.of(
                            Flow.Event.RETURN, Flow.ENDING,
                            Flow.Event.SUSPEND, Flow.SUSPENDING,
                            Flow.Event.DISPATCH, Flow.HANDOVER),
            Flow.SUSPENDING, Map.of(Flow.Event.RETURN, Flow.SUSPENDED, Flow.Event.RESUME, Flow.HANDOVER),
            Flow.SUSPENDED, Map.of(Flow.Event.RESUME, Flow.READY),
            Flow.HANDOVER, Map.of(Flow.Event.RETURN, Flow.READY),
            Flow.ENDING, Map.of(Flow.Event.FINISH, Flow.ENDED),
            Flow.ENDED, Map.of());

    static Stream<Arguments> allPairs() {
        return Stream.of(Flow.values())
                .flatMap(from -> Stream.of(Flow.Event.values()).map(event -> Arguments.of(from, event)));
    }

    @ParameterizedTest
    @MethodSource("allPairs")
    void goesWhereTheTableSaysAndNowhereElse(Flow from, Flow.Event event) {
        Flow to = TABLE.getOrDefault(from, Map.of()).get(event);
        if (to != null) {
            assertEquals(to, Flow.next(from, event));
            return;
        }
        IllegalStateException refusal = assertThrows(IllegalStateException.class, () -> Flow.next(from, event));
        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.contains(from.name()) && message.contains(event.name()), message);
    }

    @ParameterizedTest
    @EnumSource(Flow.class)
    void canEndFromEveryState(Flow from) {
        Set<Flow> reached = EnumSet.of(from);
        ArrayDeque<Flow> todo = new ArrayDeque<>(reached);
        while (!todo.isEmpty()) {
            for (Flow next : TABLE.getOrDefault(todo.remove(), Map.of()).values()) {
                if (reached.add(next)) {
                    todo.add(next);
                }
            }
        }
        assertTrue(reached.contains(Flow.ENDED));
    }

    @Test
    void hasNoWayOutOfItsEnd() {
        for (Flow.Event event : Flow.Event.values()) {
            assertThrows(IllegalStateException.class, () -> Flow.next(Flow.ENDED, event));
        }
    }
}
