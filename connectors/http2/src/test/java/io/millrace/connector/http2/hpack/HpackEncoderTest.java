package io.millrace.connector.http2.hpack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HpackEncoderTest {

    private final HpackEncoder encoder = new HpackEncoder();

    @Test
    void sendsAKnownStatusInOneOctet() {
        assertArrayEquals(Fields.hex("88"), Fields.encode(encoder, ":status", "200"));
        assertArrayEquals(Fields.hex("8d"), Fields.encode(encoder, ":status", "404"));
        assertEquals(0, encoder.tableSize());
    }

    @Test
    void sendsWhatRepeatsInOneOctetTheSecondTime() {
        Fields.encode(encoder, ":status", "503", "Content-Type", "text/html");
        assertArrayEquals(Fields.hex("bfbe"), Fields.encode(encoder, ":status", "503", "content-type", "text/html"));
    }

    @Test
    void remembersNeitherCookiesNorWhatDiffers() {
        byte[] cookie = Fields.encode(encoder, "Set-Cookie", "a=b");
        assertEquals(0x1f, cookie[0], "never to be indexed");
        Fields.encode(encoder, "etag", "\"1\"", "x-request-id", "17");
        assertEquals(0, encoder.tableSize());
    }

    @Test
    void keepsItsTableSmallWhateverThePeerAllows() {
        encoder.limit(1 << 20);
        for (int i = 0; i < 1000; i++) {
            Fields.encode(encoder, "date", "a date " + i);
        }
        assertTrue(encoder.tableSize() <= 1024, "size " + encoder.tableSize());
    }

    @Test
    void saysTheLeastAndTheLastSizeOfItsTable() {
        Fields.encode(encoder, "server", "millrace");
        encoder.limit(0);
        encoder.limit(100);
        assertArrayEquals(Fields.hex("203f4588"), Fields.encode(encoder, ":status", "200"));
        assertArrayEquals(Fields.hex("88"), Fields.encode(encoder, ":status", "200"));
        assertEquals(0, encoder.tableSize());
    }

    @Test
    void sendsNoNameThatIsNoToken() {
        assertNull(FieldName.of("a b"));
        assertNull(FieldName.of(""));
        assertNull(FieldName.of("x\r\ny"));
    }
}
