package io.millrace.proxyprotocol;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The checksum of a whole header, counted with zeros where it stands itself (proxy-protocol.txt, 2.2.3). */
final class Crc32c {

    private static final int TYPE = 0x03;

    private Crc32c() {}

    /**
     * Refuses a header whose checksum is wrong. One without is fine.
     *
     * @param fields where its fields begin
     */
    static void check(byte[] header, int fields) throws BadHeaderException {
        ByteBuffer rest = ByteBuffer.wrap(header);
        rest.position(fields);
        boolean checked = false;
        for (Field field = Field.next(rest); field != null; field = Field.next(rest)) {
            if (field.type() == TYPE) {
                if (checked || field.value().remaining() != Integer.BYTES) {
                    throw new BadHeaderException("it has two checksums, or one that is not of four bytes");
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
