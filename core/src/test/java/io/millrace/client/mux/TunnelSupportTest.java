package io.millrace.client.mux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.client.mux.MuxClientConnection.TunnelSupport;
import org.junit.jupiter.api.Test;

/** Every setting in every state. */
final class TunnelSupportTest {

    @Test
    void aServerSaysOnceThatItOpensTunnels() {
        for (boolean allowed : new boolean[] {true, false}) {
            TunnelSupport said = allowed ? TunnelSupport.YES : TunnelSupport.NO;
            assertEquals(said, TunnelSupport.UNKNOWN.next(allowed));
            assertEquals(said, TunnelSupport.NO.next(allowed));
            assertEquals(TunnelSupport.YES, TunnelSupport.YES.next(allowed));
            assertEquals(TunnelSupport.NEVER, TunnelSupport.NEVER.next(allowed));
        }
    }
}
