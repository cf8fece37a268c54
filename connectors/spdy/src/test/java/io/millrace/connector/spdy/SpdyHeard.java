package io.millrace.connector.spdy;

import io.millrace.http.Headers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Decompresses the header blocks of a connection's responses, strictly. */
final class SpdyHeard {

    private static final int LARGEST = 1 << 18;

    private final Inflater inflater = new Inflater();

    /** The fields of a block, which must be well-formed: each name once, in lower case. Values are joined by NUL. */
    Headers fields(byte[] block, int from) {
        byte[] plain = new byte[LARGEST];
        int length;
        try {
            inflater.setInput(block, from, block.length - from);
            length = inflater.inflate(plain);
        } catch (DataFormatException e) {
            throw new AssertionError(e);
        }
        if (inflater.getRemaining() > 0) {
            throw new AssertionError("octets behind the block, or a dictionary is asked for");
        }
        ByteBuffer bytes = ByteBuffer.wrap(plain, 0, length);
        Headers fields = new Headers();
        int count = bytes.getInt();
        for (int i = 0; i < count; i++) {
            String name = text(bytes);
            if (name.isEmpty() || fields.contains(name) || !name.equals(name.toLowerCase(Locale.ROOT))) {
                throw new AssertionError("a field named " + name);
            }
            fields.add(name, text(bytes));
        }
        if (bytes.hasRemaining()) {
            throw new AssertionError("octets behind the fields");
        }
        return fields;
    }

    private static String text(ByteBuffer bytes) {
        byte[] text = new byte[bytes.getInt()];
        bytes.get(text);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** The status in a response's fields; 0 for none. */
    static int status(Headers fields) {
        String status = fields.get(":status");
        if (status == null) {
            return 0;
        }
        if (!"HTTP/1.1".equals(fields.get(":version"))) {
            throw new AssertionError("a response without :version");
        }
        return Integer.parseInt(status.substring(0, 3));
    }
}
