package io.millrace.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The state machines of requests, their bodies, and backends: every transition in the table, and the rejection of all others. */
final class ProxyStatesTest {

    private static final String RELAY = """
            .           START      RETRY     HEAD       SWITCH      END
            CHOOSING    REQUESTED  -         -          -           OVER
            REQUESTED   -          CHOOSING  ANSWERING  TUNNELLING  OVER
            ANSWERING   -          -         -          -           OVER
            TUNNELLING  -          -         -          -           TUNNELLING
            OVER        -          -         -          -           -
            """;

    private static final String BACKEND = """
            .         EJECT    PROBE    SUCCEED  LEAVE    FALL  RISE  DRAIN     RESUME
            UP        EJECTED  -        -        -        DOWN  -     DRAINING  -
            EJECTED   -        PROBING  UP       -        DOWN  -     DRAINING  -
            PROBING   EJECTED  -        UP       EJECTED  DOWN  -     DRAINING  -
            DRAINING  -        -        -        -        -     -     -         UP
            DOWN      -        -        -        -        -     UP    DRAINING  -
            """;

    private static final String BODY = """
            .              HEAD_SENT  PROCEED   ANSWER     CANCEL
            HEAD_EXPECTED  WAITING    HEAD_DUE  CANCELLED  CANCELLED
            HEAD_DUE       STARTED    -         -          CANCELLED
            WAITING        -          STARTED   CANCELLED  CANCELLED
            STARTED        -          -         -          -
            CANCELLED      -          -         -          -
            """;

    static Stream<Arguments> relays() {
        return cells(RELAY);
    }

    static Stream<Arguments> backends() {
        return cells(BACKEND);
    }

    static Stream<Arguments> bodies() {
        return cells(BODY);
    }

    private static Stream<Arguments> cells(String table) {
        String[][] cells = table.lines().map(line -> line.split(" +")).toArray(String[][]::new);
        return Stream.of(cells)
                .skip(1)
                .flatMap(row -> Stream.iterate(1, i -> i < row.length, i -> i + 1)
                        .map(i -> Arguments.of(row[0], cells[0][i], row[i])));
    }

    @ParameterizedTest
    @MethodSource("relays")
    void movesARelay(RelayState from, RelayState.Event event, String to) {
        assertEquals(to.equals("-") ? null : RelayState.valueOf(to), RelayState.next(from, event));
    }

    @ParameterizedTest
    @MethodSource("backends")
    void movesABackend(BackendState from, BackendState.Event event, String to) {
        assertEquals(to.equals("-") ? null : BackendState.valueOf(to), BackendState.next(from, event));
    }

    @ParameterizedTest
    @MethodSource("bodies")
    void movesABody(BodyStart.State from, BodyStart.Event event, String to) {
        assertEquals(to.equals("-") ? null : BodyStart.State.valueOf(to), BodyStart.State.next(from, event));
    }

    @Test
    void knowsAllStatesAndEvents() {
        assertEquals((long) RelayState.values().length * RelayState.Event.values().length, relays().count());
        assertEquals(
                (long) BackendState.values().length * BackendState.Event.values().length,
                backends().count());
        assertEquals((long) BodyStart.State.values().length * BodyStart.Event.values().length, bodies().count());
    }
}
