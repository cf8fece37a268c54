package io.millrace.connector.http2.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HpackDecoderTest {

    private final FieldTexts texts = new FieldTexts();
    private final HpackDecoder decoder = new HpackDecoder(texts);

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "index zero, 80",
        "index beyond both tables, be",
        "name beyond both tables, 7f00 00",
        "integer that never ends, ffff ffff ffff ffff 7f",
        "integer of 32 bits, ff80 ffff ff07",
        "integer cut off, ff80",
        "string cut off, 0003 6162",
        "value missing, 0001 61",
        "name missing, 00",
        "string longer than the block, 007f ffff ff07",
        "end code in a string, 0001 6184 ffff fffc",
        "padding of eight bits, 0001 6182 1fff",
        "padding of zeros, 0001 6181 18",
        "padding alone, 0001 6181 ff",
        "size update behind a field, 8220",
        "size update beyond the limit, 3fe2 1f",
    })
    void refuses(String what, String block) {
        assertThrows(HpackException.class, () -> Fields.decode(decoder, block), what);
    }

    @Test
    void dropsWhatIsTooLargeAndStaysInStep() throws Exception {
        byte[] block = Fields.encode(new HpackEncoder(), "server", "millrace-server", "x-long", "v".repeat(300));
        Fields fields = Fields.decode(decoder, block, 100);
        assertTrue(fields.tooLarge);
        assertEquals(List.of("server: millrace-server"), fields.lines);
        assertEquals(List.of("server: millrace-server"), Fields.decode(decoder, "be"));
    }

    @Test
    void countsReferencesAsWhatTheyStandFor() throws Exception {
        Fields.decode(decoder, "4001 61 7fa1 1e " + "62".repeat(4000));
        byte[] bomb = Fields.hex("be".repeat(10_000));
        Fields fields = Fields.decode(decoder, bomb, 8192);
        assertTrue(fields.tooLarge);
        assertEquals(2, fields.lines.size());
    }

    @Test
    void emptiesTheTableForAFieldLargerThanIt() throws Exception {
        Fields.decode(decoder, "4001 6101 62");
        assertEquals(34, decoder.tableSize());
        Fields.decode(decoder, Fields.hex("4001 61 7fa1 1f" + "62".repeat(4128)), 100_000);
        assertEquals(0, decoder.tableSize());
    }

    @Test
    void wantsASmallerTableConfirmedFirst() throws Exception {
        decoder.limit(100);
        assertThrows(HpackException.class, () -> Fields.decode(decoder, "82"));
    }

    @Test
    void takesAConfirmedSmallerTable() throws Exception {
        decoder.limit(30);
        assertEquals(List.of(":method: GET"), Fields.decode(decoder, "3e82"));
        assertEquals(List.of("a: b"), Fields.decode(decoder, "4001 6101 62"));
        assertEquals(0, decoder.tableSize());
    }

    @Test
    void sharesStringsWithOtherConnectionsButNoSecrets() throws Exception {
        String agent = value(decoder, "0f2b 03 61 62 63".replace(" ", ""));
        HpackDecoder other = new HpackDecoder(texts);
        assertSame(agent, value(other, "0f2b03616263"));
        assertNotSame(value(decoder, "0f1103616263"), value(other, "0f1103616263"), "cookie");
        assertNotSame(value(decoder, "1f2b0378797a"), value(other, "1f2b0378797a"), "never to be indexed");
    }

    private static String value(HpackDecoder decoder, String block) throws HpackException {
        List<String> values = new ArrayList<>();
        byte[] octets = Fields.hex(block);
        decoder.decode(octets, 0, octets.length, 1000, new HpackDecoder.Fields() {
            @Override
            public void field(String name, String value) {
                values.add(value);
            }

            @Override
            public void tooLarge() {
                throw new AssertionError("too large");
            }
        });
        return values.get(0);
    }

    @Test
    void keepsAnEmptyBlockEmpty() throws Exception {
        Fields fields = Fields.decode(decoder, new byte[0], 0);
        assertFalse(fields.tooLarge);
        assertEquals(List.of(), fields.lines);
    }
}
