package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class DefaultTransportTest {

    @Test
    void isNioIfThatIsInstalled() {
        assertEquals("nio", DefaultTransport.among(List.of("apr", "bio", "nio", "nio2")));
        assertEquals("", DefaultTransport.remark("nio"));
    }

    @Test
    void isTheNextOneOtherwiseWhichItSays() {
        assertEquals("nio2", DefaultTransport.among(List.of("apr", "bio", "nio2")));
        assertEquals("bio", DefaultTransport.among(List.of("another", "apr", "bio")));
        assertEquals("apr", DefaultTransport.among(List.of("another", "apr")));
        assertEquals(" (nio is not installed)", DefaultTransport.remark("bio"));
    }

    /** Then the error names what to install. */
    @Test
    void isNioIfNoneIsInstalled() {
        assertEquals("nio", DefaultTransport.among(List.of("another")));
        assertEquals("nio", DefaultTransport.name());
    }
}
