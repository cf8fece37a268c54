package io.millrace.proxyprotocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One type-length-value of version 2.
 *
 * @param value a part of the header, not a copy
 */
record Field(int type, ByteBuffer value) {

    private static final int TYPE_AND_LENGTH = 3;

    /** The next field; null if there are no more bytes. A field that reaches beyond its block is refused. */
    static @Nullable Field next(ByteBuffer block) throws BadHeaderException {
        if (!block.hasRemaining()) {
            return null;
        }
        if (block.remaining() < TYPE_AND_LENGTH) {
            throw new BadHeaderException("a field breaks off before its length");
        }
        int type = block.get() & 0xff;
        int length = block.getShort() & 0xffff;
        if (length > block.remaining()) {
            throw new BadHeaderException(String.format("field 0x%02x", type) + " announces " + length
                    + " bytes, but only " + block.remaining() + " follow");
        }
        ByteBuffer value = block.slice(block.position(), length);
        block.position(block.position() + length);
        return new Field(type, value);
    }

    String text() {
        return StandardCharsets.UTF_8.decode(value.duplicate()).toString();
    }
}
