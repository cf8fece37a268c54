package io.millrace.client.serial;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.client.serial.ClientSessionState.Event;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The states of a client's connection: in every state, each event leads to the state in the table, or is rejected. */
final class ClientSessionStateTest {

    private static final String TABLE = """
            .          START   ASK     CALL      QUIET   WHOLE   CLOSE
            IDLE       BUSY    WAITING CHECKING  -       -       CLOSED
            CHECKING   WAITING WAITING CHECKING  IDLE    -       CLOSED
            WAITING    -       -       WAITING   BUSY    -       CLOSED
            BUSY       -       -       BUSY      -       IDLE    CLOSED
            CLOSED     -       -       CLOSED    CLOSED  CLOSED  CLOSED
            """;

    static Stream<Arguments> cells() {
        String[][] cells = TABLE.lines().map(line -> line.split(" +")).toArray(String[][]::new);
        return Stream.of(cells)
                .skip(1)
                .flatMap(row -> Stream.iterate(1, i -> i < row.length, i -> i + 1)
                        .map(i -> Arguments.of(row[0], cells[0][i], row[i])));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void movesASession(ClientSessionState from, Event event, String to) {
        ClientSessionState expected = to.equals("-") ? null : ClientSessionState.valueOf(to);
        assertEquals(expected, ClientSessionState.next(from, event));
    }
}
