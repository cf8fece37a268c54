package io.millrace.connector.http2.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http2.hpack.HPackDecoder;
import org.apache.hc.core5.http2.hpack.HPackEncoder;
import org.apache.hc.core5.http2.hpack.HPackException;
import org.apache.hc.core5.util.ByteArrayBuffer;
import org.junit.jupiter.api.Test;

/** Another implementation decodes our blocks, and we decode its blocks, in sequences of many blocks. */
class HpackDifferentialTest {

    private static final int CONVERSATIONS = 100;
    private static final int BLOCKS = 40;
    private static final List<String> NAMES = List.of(
            ":status", "content-type", "server", "date", "x-own", "etag", "set-cookie", "vary", "location", "custom");

    private final Random random = new Random(7541);

    @Test
    void writesWhatTheOtherReads() throws Exception {
        for (int i = 0; i < CONVERSATIONS; i++) {
            HpackEncoder ours = new HpackEncoder();
            HPackDecoder other = new HPackDecoder(4096, StandardCharsets.ISO_8859_1);
            HpackDecoder own = new HpackDecoder(new FieldTexts());
            for (int j = 0; j < BLOCKS; j++) {
                if (random.nextInt(5) == 0) {
                    int limit = random.nextInt(4097);
                    ours.limit(limit);
                    other.setMaxTableSize(limit);
                    own.limit(limit);
                }
                List<String> fields = fields();
                byte[] block = Fields.encode(ours, Fields.pairs(fields));
                assertEquals(fields, read(other, block));
                assertEquals(fields, Fields.decode(own, block, 100_000).lines);
            }
        }
    }

    @Test
    void readsWhatTheOtherWrites() throws Exception {
        FieldTexts shared = new FieldTexts();
        for (int i = 0; i < CONVERSATIONS; i++) {
            HPackEncoder other = new HPackEncoder(4096, StandardCharsets.ISO_8859_1);
            HpackDecoder ours = new HpackDecoder(shared);
            for (int j = 0; j < BLOCKS; j++) {
                List<String> fields = fields();
                assertEquals(fields, Fields.decode(ours, write(other, fields), 100_000).lines);
            }
        }
    }

    /** Both decode random octets to the same fields, or reject them; but the other accepts padding of a whole octet. */
    @Test
    void decodesHuffmanAsTheOther() throws Exception {
        for (int i = 0; i < 20_000; i++) {
            byte[] coded = new byte[random.nextInt(12)];
            random.nextBytes(coded);
            if (random.nextBoolean() && coded.length > 0) {
                coded[coded.length - 1] |= (byte) (0xff >>> random.nextInt(8));
            }
            ByteBuffer block = ByteBuffer.allocate(20);
            block.put((byte) 0)
                    .put((byte) 1)
                    .put((byte) 'n')
                    .put((byte) (0x80 | coded.length))
                    .put(coded);
            byte[] bytes = Arrays.copyOf(block.array(), block.position());
            HpackDecoder ours = new HpackDecoder(new FieldTexts());
            List<String> expected;
            try {
                expected = read(new HPackDecoder(4096, StandardCharsets.ISO_8859_1), bytes);
            } catch (HPackException e) {
                assertThrows(HpackException.class, () -> Fields.decode(ours, bytes, 1000));
                continue;
            }
            assertSameText(expected, coded.length, ours, bytes);
        }
    }

    private static void assertSameText(List<String> expected, int coded, HpackDecoder ours, byte[] block)
            throws HpackException {
        if (Huffman.codedLength(Fields.pairs(expected)[1]) < coded) {
            assertThrows(HpackException.class, () -> Fields.decode(ours, block, 1000));
        } else {
            assertEquals(expected, Fields.decode(ours, block, 1000).lines);
        }
    }

    private List<String> fields() {
        List<String> fields = new ArrayList<>();
        for (int i = random.nextInt(10); i >= 0; i--) {
            fields.add(NAMES.get(random.nextInt(NAMES.size())) + ": " + value());
        }
        return fields;
    }

    /** Often one of a few values, otherwise random octets that are valid in a value. */
    private String value() {
        if (random.nextInt(3) > 0) {
            return "a value that comes again, number " + random.nextInt(8);
        }
        StringBuilder value = new StringBuilder();
        int length = random.nextInt(random.nextInt(20) == 0 ? 5000 : 60);
        int range = random.nextBoolean() ? 0x5f : 0xdf;
        for (int i = 0; i < length; i++) {
            value.append((char) (' ' + random.nextInt(range)));
        }
        return value.toString();
    }

    private static List<String> read(HPackDecoder decoder, byte[] block) throws HPackException {
        List<String> lines = new ArrayList<>();
        for (Header field : decoder.decodeHeaders(ByteBuffer.wrap(block))) {
            lines.add(field.getName() + ": " + field.getValue());
        }
        return lines;
    }

    private static byte[] write(HPackEncoder encoder, List<String> fields) throws Exception {
        ByteArrayBuffer block = new ByteArrayBuffer(1000);
        String[] pairs = Fields.pairs(fields);
        for (int i = 0; i < pairs.length; i += 2) {
            encoder.encodeHeader(block, new BasicHeader(pairs[i], pairs[i + 1], pairs[i].equals("set-cookie")));
        }
        return block.toByteArray();
    }
}
