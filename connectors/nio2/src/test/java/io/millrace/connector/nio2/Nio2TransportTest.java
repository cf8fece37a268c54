package io.millrace.connector.nio2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.TransportProvider;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.Probe;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.TransportContract;
import org.junit.jupiter.api.Test;

final class Nio2TransportTest extends TransportContract {

    @Override
    protected TransportProvider provider() {
        return new Nio2TransportProvider();
    }

    /** The size that fills the small buffer differs between connections. */
    @Test
    void waitsWithoutPooledMemoryWhateverTheSizeOfTheLastMessage() throws Exception {
        harness().serve(Probe::echo);
        RawClient client = harness().connect();
        for (int size = 600; size < 800; size++) {
            assertEquals(size, client.send(new byte[size]).read(size).length);
            Deadline.await(
                    "every buffer to be released", () -> harness().buffers().outstanding() == 0);
        }
    }

    /** The JDK's asynchronous channels have no SO_LINGER. */
    @Override
    public boolean canReset() {
        return false;
    }
}
