package io.millrace.connector.nio;

import io.millrace.testkit.InlineMessagesContract;
import java.io.IOException;

final class InlineMessagesOverNioTest extends InlineMessagesContract {

    InlineMessagesOverNioTest() throws IOException {
        super("nio", " I/O-");
    }
}
