package io.millrace.connector.apr;

import io.millrace.testkit.InlineShortContract;
import java.io.IOException;

final class InlineShortOverAprTest extends InlineShortContract {

    InlineShortOverAprTest() throws IOException {
        super("apr", "-poller-");
    }
}
