package io.millrace.servlet.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.servlet.dispatch.AsyncState.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AsyncStateTest {

    private static final Path SOURCE = Path.of("src/main/java/io/millrace/servlet/dispatch/AsyncState.java");
    private static final Pattern ROW = Pattern.compile("\\* ([A-Z]+) +([A-Z]+) +([A-Z]+)\\b");

    /** What is not in the table of the class comment is refused. */
    @Test
    void followsItsTable() throws IOException {
        Map<String, String> table = ROW.matcher(Files.readString(SOURCE))
                .results()
                .collect(Collectors.toMap(row -> row.group(1) + " " + row.group(2), row -> row.group(3)));
        assertEquals(23, table.size());
        for (AsyncState from : AsyncState.values()) {
            for (Event event : Event.values()) {
                AsyncState to = AsyncState.next(from, event);
                assertEquals(table.get(from + " " + event), to == null ? null : to.name(), from + " " + event);
            }
        }
    }
}
