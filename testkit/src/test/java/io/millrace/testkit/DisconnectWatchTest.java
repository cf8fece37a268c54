package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.serial.DisconnectWatch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** While an exchange waits for something else, it … */
class DisconnectWatchTest {

    @Test
    void hasWhoeverWaitsNextLookAtOnceIfItWasCalledForNothing() {
        ScriptedConnection connection = new ScriptedConnection();
        DisconnectWatch disconnectWatch = new DisconnectWatch(connection, false);
        List<Boolean> awaited = new ArrayList<>();
        connection.install(new Probe(connection).onReadable(called -> awaited.add(disconnectWatch.isCallAwaited())));
        disconnectWatch.watch();
        connection.drain();
        assertEquals(List.of(false), awaited);
        assertTrue(disconnectWatch.await(), "he may have asked before he was told");
        assertFalse(disconnectWatch.await(), "once is enough");
    }
}
