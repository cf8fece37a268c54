package io.millrace.connector.apr.binding;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connector.apr.binding.SelfCheck.Option;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The check of the library before its use … */
final class SelfCheckTest {

    @BeforeAll
    static void load() {
        Apr.require();
    }

    @Test
    void knowsTheOptionsOfSockets() throws IOException {
        for (Option each : SelfCheck.OPTIONS) {
            assertTrue(SelfCheck.reachesKernel(each), each.name());
        }
    }

    @Test
    void seesThatAnotherOptionWasMeant() throws IOException {
        List<Option> options = SelfCheck.OPTIONS;
        for (Option each : options) {
            Option other = options.get(each.number() == AprSocket.SO_KEEPALIVE ? 1 : 0);
            assertFalse(
                    SelfCheck.reachesKernel(new Option(
                            each.name(), each.family(), other.number(), each.level(), each.inC(), each.flag())),
                    each.name());
        }
    }
}
