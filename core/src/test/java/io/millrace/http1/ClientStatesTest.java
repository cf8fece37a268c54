package io.millrace.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.http1.ClientStreamState.Event;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The states of a client's request: in every state, each event leads to the state in the table, or is rejected. */
final class ClientStatesTest {

    private static final String STREAM = """
            .          LAST      SENT     ANSWERED  SWITCH     CUT
            OPEN       SENDING   -        EARLY     -          CUT
            SENDING    -         SENT     ANSWERED  SWITCHING  CUT
            SENT       -         -        WHOLE     TUNNEL     CUT
            ANSWERED   -         WHOLE    -         -          CUT
            SWITCHING  -         TUNNEL   -         -          CUT
            TUNNEL     -         -        -         -          CUT
            WHOLE      -         -        -         -          WHOLE
            EARLY      EARLY     EARLY    EARLY     -          EARLY
            CUT        CUT       CUT      CUT       CUT        CUT
            """;

    static Stream<Arguments> streams() {
        return rows(STREAM);
    }

    private static Stream<Arguments> rows(String table) {
        String[][] cells = table.lines().map(line -> line.split(" +")).toArray(String[][]::new);
        return Stream.of(cells)
                .skip(1)
                .flatMap(row -> Stream.iterate(1, i -> i < row.length, i -> i + 1)
                        .map(i -> Arguments.of(row[0], cells[0][i], row[i])));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void movesAStream(ClientStreamState from, Event event, String to) {
        if (to.equals("-")) {
            assertThrows(IllegalStateException.class, () -> ClientStreamState.next(from, event));
        } else {
            assertEquals(ClientStreamState.valueOf(to), ClientStreamState.next(from, event));
        }
    }
}
