package io.millrace.connector.ajp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connector.ajp.UploadState.Event;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The state machine of a request's body: in every state, each event leads to the state of the table, or is rejected. */
final class UploadStateTest {

    private static final String TABLE = """
            .              OFFER      OFFER_END  ASK            SENT_PART  SENT_PIECE  SENT_LAST  ANSWERED   CUT
            IDLE           OFFERED    COMPLETE   ASKED          -          -           -          REUSABLE   CUT
            ASKED          SENDING    ENDING     -              -          -           -          USELESS    CUT
            OFFERED        -          -          SENDING        -          -           -          REUSABLE   CUT
            SENDING        -          -          SENDING_ASKED  OFFERED    IDLE        COMPLETE   FINISHING  CUT
            SENDING_ASKED  -          -          -              SENDING    ASKED       ENDING     USELESS    CUT
            COMPLETE       -          -          ENDING         -          -           -          REUSABLE   CUT
            ENDING         -          -          -              -          -           DONE       FINISHING  CUT
            DONE           -          -          -              -          -           -          REUSABLE   CUT
            FINISHING      -          -          -              REUSABLE   REUSABLE    REUSABLE   -          CUT
            REUSABLE       REUSABLE   REUSABLE   REUSABLE       REUSABLE   REUSABLE    REUSABLE   REUSABLE   REUSABLE
            USELESS        USELESS    USELESS    USELESS        USELESS    USELESS     USELESS    USELESS    USELESS
            CUT            CUT        CUT        CUT            CUT        CUT         CUT        CUT        CUT
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
    void movesABody(UploadState from, Event event, String to) {
        assertEquals(to.equals("-") ? null : UploadState.valueOf(to), UploadState.next(from, event));
    }
}
