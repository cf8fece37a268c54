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
        byte[] bytes = Fields.hex(block);
        decoder.decode(bytes, 0, bytes.length, 1000, new HpackDecoder.Fields() {
            @Override
            public boolean field(String name, String value, boolean checked) {
                values.add(value);
                return true;
            }

            @Override
            public void tooLarge() {
                throw new AssertionError("too large");
            }
        });
        return values.get(0);
    }

    /** Judges each field by its value, as often as it is asked to. */
    private static final class Judge implements HpackDecoder.Fields {

        private final List<String> judged = new ArrayList<>();

        @Override
        public boolean field(String name, String value, boolean checked) {
            if (!checked) {
                judged.add(value);
            }
            return !value.startsWith("bad");
        }

        @Override
        public void tooLarge() {}

        List<String> of(HpackDecoder decoder, String block, int maxListSize) throws HpackException {
            judged.clear();
            byte[] bytes = Fields.hex(block);
            decoder.decode(bytes, 0, bytes.length, maxListSize, this);
            return List.copyOf(judged);
        }
    }

    @Test
    void hasAValidFieldOfTheTableCheckedOnceAndAnInvalidOneEachTime() throws Exception {
        Judge judge = new Judge();
        assertEquals(List.of("ok1", "bad"), judge.of(decoder, "400161036f6b31 40016103626164", 1000));
        assertEquals(List.of("bad"), judge.of(decoder, "be bf bf", 1000), "bad is 62, ok1 is 63");
        assertEquals(List.of(), judge.of(decoder, "400161036f6b32", 10), "added, but too large to be passed on");
        assertEquals(List.of("ok2", "bad"), judge.of(decoder, "be bf c0 be", 1000), "62 is new");
        for (int i = 0; i < 40; i++) { // the ring grows, and later fields take the slots of former ones
            String added = "40016103" + (i % 3 == 0 ? "626164" : "6f6b3" + i % 10);
            assertEquals(1, judge.of(decoder, added + "be", 1000).size() - (i % 3 == 0 ? 1 : 0), "field " + i);
        }
        assertEquals(List.of("bad"), judge.of(decoder, "be bf c0", 1000), "the last one, and two valid ones");
        assertEquals(
                List.of("ok1", "bad"),
                judge.of(decoder, "203fe11f 400161036f6b31 40016103626164", 1000),
                "after it was emptied");
        assertEquals(List.of("bad"), judge.of(decoder, "be bf", 1000));
    }

    @Test
    void keepsAnEmptyBlockEmpty() throws Exception {
        Fields fields = Fields.decode(decoder, new byte[0], 0);
        assertFalse(fields.tooLarge);
        assertEquals(List.of(), fields.lines);
    }
}
