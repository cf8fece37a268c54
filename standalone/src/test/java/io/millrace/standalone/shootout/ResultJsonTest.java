package io.millrace.standalone.shootout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The figures of a shoot-out as JSON … */
final class ResultJsonTest {

    @Test
    void haveAllRoundsAndTheAdvice() {
        ShootoutResult result = SampleResult.of(Double.NaN, 1.05);
        String json = ResultJson.of(result, Advice.of(result));
        assertTrue(
                json.contains(
                        "{\"connector\":\"nio OpenSSL\",\"tls\":\"openssl\",\"workload\":\"128 KiB\",\"clients\":40,"
                                + "\"responsesPerSecond\":40000.0000,\"bytesPerSecond\":500000000.0000,\"cpuMicros\":48.0000,"),
                json);
        assertEquals(8 * 2 * 3, json.split("\"others\":null}", -1).length - 1, json);
        assertTrue(json.contains("\"others\":null,\n\"compilers\":0.0100,\n\"spread\":0.0500,"), json);
        assertTrue(json.contains("\"verdict\":\"change\",\n\"advice\":\"Without TLS use nio: "), json);
        assertTrue(json.contains("{\"transport\":\"nio\",\"asynchronous\":true,\"clients\":1000,"), json);
    }
}
