package io.millrace.connector.apr;

import io.millrace.testkit.InlineMessagesContract;
import java.io.IOException;

final class InlineMessagesOverAprTest extends InlineMessagesContract {

    InlineMessagesOverAprTest() throws IOException {
        super("apr", "-poller-");
    }
}
