package io.millrace.servlet.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.servlet.request.AsyncState.Event;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AsyncStateTest {

    /** The table of the class comment; what is not in it is refused. */
    private static final String TABLE = """
            STARTED      COMPLETE   COMPLETING
            STARTED      DISPATCH   DISPATCHING
            STARTED      FAIL       FAILING
            STARTED      RETURN     WAITING
            WAITING      COMPLETE   COMPLETING
            WAITING      DISPATCH   DISPATCHING
            WAITING      TIMEOUT    EXPIRING
            WAITING      FAIL       FAILING
            EXPIRING     COMPLETE   COMPLETING
            EXPIRING     DISPATCH   DISPATCHING
            EXPIRING     RETURN     COMPLETING
            FAILING      COMPLETE   COMPLETING
            FAILING      DISPATCH   DISPATCHING
            FAILING      RETURN     COMPLETING
            COMPLETING   RETURN     ENDED
            DISPATCHING  RETURN     ENDED
            """;

    @Test
    void followsItsTable() {
        Map<String, String> table = new HashMap<>();
        TABLE.lines().map(line -> line.split(" +")).forEach(row -> table.put(row[0] + " " + row[1], row[2]));
        for (AsyncState from : AsyncState.values()) {
            for (Event event : Event.values()) {
                AsyncState to = AsyncState.next(from, event);
                assertEquals(table.get(from + " " + event), to == null ? null : to.name(), from + " " + event);
            }
        }
    }
}
