package io.millrace.compression;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** gzip (RFC 1952), with the JDK. */
final class GzipCoding implements ContentCoding {

    /** The header: deflate, no optional fields, no time, unknown system. */
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 255};

    private final Deflaters deflaters = new Deflaters(true);

    @Override
    public String name() {
        return "gzip";
    }

    @Override
    public OutputStream open(OutputStream compressed) throws IOException {
        compressed.write(HEADER);
        return new Member(deflaters, compressed);
    }

    private static final class Member extends DeflaterOutputStream {

        private static final int BUFFER = 4096;

        private final Deflaters deflaters;
        private final CRC32 crc = new CRC32();
        private boolean open = true;

        Member(Deflaters deflaters, OutputStream out) {
            super(out, deflaters.take(), BUFFER, true);
            this.deflaters = deflaters;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            super.write(bytes, offset, length);
            crc.update(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            if (!open) {
                return;
            }
            open = false;
            try {
                finish();
                number(crc.getValue());
                number(def.getBytesRead());
            } finally {
                deflaters.giveBack(def);
            }
        }

        /** The last four bytes, in little-endian order. */
        private void number(long value) throws IOException {
            for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
                out.write((int) (value >>> shift) & 0xff);
            }
        }
    }
}
