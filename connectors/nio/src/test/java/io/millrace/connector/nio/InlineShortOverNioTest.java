package io.millrace.connector.nio;

import io.millrace.testkit.InlineShortContract;
import java.io.IOException;

final class InlineShortOverNioTest extends InlineShortContract {

    InlineShortOverNioTest() throws IOException {
        super("nio", " I/O-");
    }
}
