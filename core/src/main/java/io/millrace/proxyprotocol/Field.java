package io.millrace.proxyprotocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A type-length-value field of version 2.
 *
 * @param value a slice of the header, not a copy
 */
record Field(int type, ByteBuffer value) {

    private static final int TYPE_AND_LENGTH = 3;

    /** The next field; null at the end. A field that exceeds its block is an error. */
    static @Nullable Field next(ByteBuffer block) throws BadHeaderException {
        if (!block.hasRemaining()) {
            return null;
        }
        if (block.remaining() < TYPE_AND_LENGTH) {
            throw new BadHeaderException("a field is truncated before its length");
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
