package io.millrace.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PreparedMessageTest {

    private static final int FIRST_OCTET_OF_COMPRESSED_TEXT = 0xc1;

    @Test
    void compressesOnceAndGivesEachConnectionAViewOfItsOwn() {
        PreparedMessage message = PreparedMessage.text("word ".repeat(1000));
        ByteBuffer first = message.compressed();
        ByteBuffer second = message.compressed();
        assertEquals(FIRST_OCTET_OF_COMPRESSED_TEXT, first.get() & 0xff);
        assertNotSame(first, second);
        assertEquals(0, second.position());
        assertTrue(second.remaining() < 200, "octets: " + second.remaining());
    }

    @Test
    void isNotCompressedIfItWouldGetLonger() {
        byte[] noise = new byte[1000];
        new Random(1).nextBytes(noise);
        PreparedMessage message = PreparedMessage.binary(ByteBuffer.wrap(noise));
        assertEquals(message.plain(), message.compressed());
    }

    @Test
    void takesDirectMemoryOnlyIfItIsLongAndNotShortLived() {
        String text = "x".repeat(10_000);
        assertTrue(PreparedMessage.text(text).plain().isDirect());
        assertFalse(PreparedMessage.text(text).compressed().isDirect());
        assertFalse(PreparedMessage.shortLived(text).plain().isDirect());
        assertEquals(
                PreparedMessage.text(text).plain(),
                PreparedMessage.shortLived(text).plain());
    }
}
