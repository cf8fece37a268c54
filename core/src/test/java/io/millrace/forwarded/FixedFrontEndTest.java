package io.millrace.forwarded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A front end with a configured name, port and scheme … */
class FixedFrontEndTest {

    @Test
    void replacesNameAndPort() {
        assertEquals("10.0.0.1 http://www:443", Front.passing().through(new FixedFrontEnd(false, "www", 443)));
        assertEquals("10.0.0.1 http://www", Front.passing().through(new FixedFrontEnd(false, "www", 0)));
        assertEquals("10.0.0.1 http://origin:443", Front.passing().through(new FixedFrontEnd(false, null, 443)));
        assertEquals(
                "10.0.0.1 http://[::1]:443", Front.passing().to("[::1]").through(new FixedFrontEnd(false, null, 443)));
    }

    @Test
    void leavesARequestWithoutAHostAsItIsIfItHasNoName() {
        assertEquals("10.0.0.1 http://null", Front.passing().to(null).through(new FixedFrontEnd(false, null, 443)));
    }

    @Test
    void makesRequestsSecure() {
        assertEquals("10.0.0.1 http://origin:8080 secure", Front.passing().through(new FixedFrontEnd(true, null, 0)));
    }

    @Test
    void changesNothingIfNothingIsKnown() {
        assertEquals("-", Front.passing().through(new FixedFrontEnd(false, null, 0)));
    }
}
