package io.millrace.tls.certificate;

import java.io.ByteArrayOutputStream;

/** Encodes DER (X.690), limited to what wrapping a key in PKCS#8 needs. */
final class DerWriter {

    private DerWriter() {}

    /** A value with these contents, concatenated. */
    static byte[] value(int tag, byte[]... contents) {
        int length = 0;
        for (byte[] content : contents) {
            length += content.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
        out.write(tag);
        writeLength(out, length);
        for (byte[] content : contents) {
            out.writeBytes(content);
        }
        return out.toByteArray();
    }

    private static void writeLength(ByteArrayOutputStream out, int length) {
        if (length < 0x80) {
            out.write(length);
            return;
        }
        int bytes = (32 - Integer.numberOfLeadingZeros(length) + 7) / 8;
        out.write(0x80 | bytes);
        for (int i = bytes - 1; i >= 0; i--) {
            out.write(length >>> 8 * i);
        }
    }
}
