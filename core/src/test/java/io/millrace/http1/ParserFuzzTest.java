package io.millrace.http1;

import static io.millrace.http1.Http1Options.MAX_EXTENSION_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_REQUEST_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_RESPONSE_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_TRAILER_SIZE;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.fuzz.Mutations;
import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestPath;
import io.millrace.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * One fuzz target for each parser: a method that checks the invariants of any input. A fuzzer can call them; here they get
 * their corpus and mutations of it.
 */
class ParserFuzzTest {

    private static final Settings OPTIONS = Settings.DEFAULTS
            .with(MAX_REQUEST_HEADER_SIZE, 512)
            .with(MAX_RESPONSE_HEADER_SIZE, 512)
            .with(MAX_HEADER_COUNT, 8)
            .with(MAX_TRAILER_SIZE, 64)
            .with(MAX_EXTENSION_SIZE, 32);

    @Test
    void readsAnyHeadWholeAsByteByByte() {
        Mutations.run(ParserFuzzTest.class, "head", ParserFuzzTest::fuzzHead);
    }

    @Test
    void readsAnyChunkedBodyWholeAsByteByByte() {
        Mutations.run(ParserFuzzTest.class, "chunked", ParserFuzzTest::fuzzChunkedBody);
    }

    @Test
    void letsNoPathOutOfItsRoot() {
        Mutations.run(ParserFuzzTest.class, "path", ParserFuzzTest::fuzzPath);
    }

    /** Never throws; the result does not depend on how the input is split; never consumes more than the limit. */
    static void fuzzHead(byte[] input) {
        String whole = Heads.whole(input, OPTIONS);
        assertEquals(whole, Heads.byteByByte(input, OPTIONS), () -> "for " + Octets.text(input, 0, input.length));
        if (whole.equals("NEED_MORE")) {
            assertTrue(input.length < OPTIONS.get(MAX_REQUEST_HEADER_SIZE) + 10, "waits for more than the limit");
        }
    }

    /** Never throws; the result does not depend on how the input is split. */
    static void fuzzChunkedBody(byte[] input) {
        String whole = ChunkedBodies.whole(input, OPTIONS);
        String slow = ChunkedBodies.byteByByte(input, OPTIONS);
        assertEquals(whole, slow, () -> "for " + Octets.text(input, 0, input.length));
    }

    /** Never throws; a decoded path has no {@code ..}, no empty segment, no control byte; it is decoded once. */
    static void fuzzPath(byte[] input) {
        String raw = Octets.text(input, 0, input.length);
        for (EncodedSlash slashes : EncodedSlash.values()) {
            RequestPath path = RequestPath.parse(raw, slashes);
            if (path != null) {
                checkDecoded(path.decoded(), raw);
            }
        }
    }

    private static void checkDecoded(String decoded, String raw) {
        assertTrue(decoded.startsWith("/"), raw);
        assertFalse(decoded.contains("//"), raw);
        assertFalse(decoded.contains("\\"), raw);
        assertTrue(decoded.chars().allMatch(c -> c >= ' ' && c != 0x7f), raw);
        List<String> segments = List.of(decoded.split("/", -1));
        assertFalse(segments.contains("."), raw);
        assertFalse(segments.contains(".."), raw);
        assertTrue(decoded.length() <= raw.length(), raw);
    }
}
