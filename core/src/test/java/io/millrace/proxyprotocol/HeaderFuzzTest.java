package io.millrace.proxyprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.fuzz.Mutations;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The fuzz target of the PROXY protocol's header: invariants for arbitrary bytes. */
class HeaderFuzzTest {

    @Test
    void readsAnyHeaderWholeAsByteByByte() {
        Mutations.run(HeaderFuzzTest.class, "header", HeaderFuzzTest::fuzzHeader);
    }

    /** Rejects or reads the input, and throws nothing else; the result does not depend on how it is split; consumes at most the header. */
    static void fuzzHeader(byte[] input) {
        String whole = read(input, input.length);
        assertEquals(whole, read(input, 1), () -> "for " + HexFormat.of().formatHex(input));
    }

    private static String read(byte[] input, int step) {
        HeaderParser parser = new HeaderParser();
        ByteBuffer bytes = ByteBuffer.wrap(input).limit(0);
        HeaderState state = HeaderState.START;
        while (state.isOpen() && bytes.limit() < input.length) {
            bytes.limit(Math.min(input.length, bytes.limit() + step));
            state = parser.take(bytes);
        }
        assertEquals(bytes.position(), parser.length());
        assertTrue(parser.length() <= HeaderParser.FIXED_LENGTH + HeaderParser.MAX_BLOCK);
        return state + " " + parser.length() + " " + outcome(parser, state);
    }

    private static String outcome(HeaderParser parser, HeaderState state) {
        if (state != HeaderState.COMPLETE) {
            return parser.defect();
        }
        try {
            return parser.header().toString();
        } catch (BadHeaderException bad) {
            return String.valueOf(bad.getMessage());
        }
    }
}
