package io.millrace.proxyprotocol;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Verifies the checksum of a header, which is computed with zeros in its own place (proxy-protocol.txt, 2.2.3). */
final class Crc32c {

    private static final int TYPE = 0x03;

    private Crc32c() {}

    /**
     * Rejects a header with a wrong checksum; the checksum is optional.
     *
     * @param fields the offset of the first field
     */
    static void check(byte[] header, int fields) throws BadHeaderException {
        ByteBuffer rest = ByteBuffer.wrap(header);
        rest.position(fields);
        boolean checked = false;
        for (Field field = Field.next(rest); field != null; field = Field.next(rest)) {
            if (field.type() == TYPE) {
                if (checked || field.value().remaining() != Integer.BYTES) {
                    throw new BadHeaderException("it has two checksums, or one that does not have four bytes");
                }
                checked = true;
                check(header, rest.position() - Integer.BYTES, field.value().getInt());
            }
        }
    }

    private static void check(byte[] header, int place, int expected) throws BadHeaderException {
        CRC32C sum = new CRC32C();
        sum.update(header, 0, place);
        sum.update(new byte[Integer.BYTES]);
        int after = place + Integer.BYTES;
        sum.update(header, after, header.length - after);
        if ((int) sum.getValue() != expected) {
            throw new BadHeaderException("its checksum is wrong");
        }
    }
}
