package io.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.protocol.Dispatcher;
import org.junit.jupiter.api.Test;

/** A dispatcher behind a known proxy … */
class ForwardedDispatcherTest {

    @Test
    void isTheDispatcherItselfIfThereIsNoProxy() {
        Dispatcher plain = (request, stream) -> {};
        assertSame(plain, ForwardedDispatcher.wrap(plain, Connector.builder().build()));
    }

    @Test
    void replacesNameAndPort() {
        assertEquals("www.example.org:443", ForwardedDispatcher.authority("host:8080", "www.example.org", 443));
        assertEquals("www.example.org", ForwardedDispatcher.authority("host:8080", "www.example.org", 0));
        assertEquals("host:443", ForwardedDispatcher.authority("host:8080", null, 443));
        assertEquals("[::1]:443", ForwardedDispatcher.authority("[::1]", null, 443));
    }
}
