package io.millrace.connector.http2.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.fuzz.Mutations;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The fuzz target of header compression: any block is decoded, or is an {@link HpackException}; the decoded fields
 * are the same after they were encoded and decoded again.
 */
class HpackFuzzTest {

    private static final int MAX_LIST_SIZE = 8192;

    @Test
    void decodesOrRefusesAnyBlocks() {
        Mutations.run(HpackFuzzTest.class, "blocks", HpackFuzzTest::fuzz);
    }

    /** The input is one block, and then the same block again, with the table that the first has left. */
    static void fuzz(byte[] input) {
        HpackDecoder decoder = new HpackDecoder(new FieldTexts());
        HpackEncoder encoder = new HpackEncoder();
        HpackDecoder second = new HpackDecoder(new FieldTexts());
        for (int i = 0; i < 2; i++) {
            try {
                Fields fields = Fields.decode(decoder, input, MAX_LIST_SIZE);
                assertTrue(decoder.tableSize() <= HpackDecoder.DEFAULT_TABLE_SIZE);
                assertTrue(size(fields.lines) <= MAX_LIST_SIZE);
                roundTrip(fields.lines, encoder, second);
            } catch (HpackException expected) {
                return;
            }
        }
    }

    private static int size(List<String> lines) {
        return lines.stream().mapToInt(line -> line.length() + 30).sum();
    }

    private static void roundTrip(List<String> lines, HpackEncoder encoder, HpackDecoder decoder)
            throws HpackException {
        String[] pairs =
                Fields.pairs(lines.stream().filter(HpackFuzzTest::isToken).toList());
        byte[] block = Fields.encode(encoder, pairs);
        assertEquals(List.of(pairs), List.of(Fields.pairs(Fields.decode(decoder, block, MAX_LIST_SIZE).lines)));
    }

    private static boolean isToken(String line) {
        return line.matches("(?s)[a-z-]+: .*");
    }
}
