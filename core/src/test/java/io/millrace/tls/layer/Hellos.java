package io.millrace.tls.layer;

import io.millrace.io.BufferPool;
import io.millrace.io.BufferPoolExhaustedException;
import io.millrace.io.Chunk;
import io.millrace.tls.layer.HelloReader.Found;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Builds ClientHellos and reads them in pieces. */
final class Hellos {

    private Hellos() {}

    /** A ClientHello with these extensions. */
    static byte[] hello(byte[]... extensions) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[] {3, 3});
        body.writeBytes(new byte[32]);
        body.writeBytes(new byte[] {0, 0, 2, 0x13, 1, 1, 0});
        body.writeBytes(vector(2, join(extensions)));
        return join(new byte[] {1}, vector(3, body.toByteArray()));
    }

    static byte[] serverName(String name) {
        return extension(0, vector(2, join(new byte[] {0}, vector(2, ascii(name)))));
    }

    static byte[] alpn(String... names) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String name : names) {
            all.writeBytes(vector(1, ascii(name)));
        }
        return extension(16, vector(2, all.toByteArray()));
    }

    static byte[] extension(int type, byte[] content) {
        return join(new byte[] {(byte) (type >> 8), (byte) type}, vector(2, content));
    }

    /** Splits it into records with this many bytes of content. */
    static byte[] records(byte[] message, int size) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int from = 0; from < message.length; from += size) {
            int to = Math.min(message.length, from + size);
            all.writeBytes(new byte[] {22, 3, 1});
            all.writeBytes(vector(2, java.util.Arrays.copyOfRange(message, from, to)));
        }
        return all.toByteArray();
    }

    static byte[] vector(int lengthBytes, byte[] content) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = lengthBytes - 1; i >= 0; i--) {
            all.write(content.length >> (8 * i));
        }
        all.writeBytes(content);
        return all.toByteArray();
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The result of scanning the bytes in pieces of this size: as text, with the hello if there is one. */
    static String read(byte[] bytes, int piece) {
        BufferPool pool = new BufferPool(1 << 20);
        CipherInput input = new CipherInput(new RecordBuffers());
        HelloReader reader = new HelloReader();
        Found found = Found.MORE;
        for (int from = 0; from < bytes.length && found == Found.MORE; from += piece) {
            try {
                Chunk chunk = pool.lease();
                chunk.bytes()
                        .put(bytes, from, Math.min(piece, bytes.length - from))
                        .flip();
                input.add(chunk, pool);
            } catch (BufferPoolExhaustedException exhausted) {
                throw new AssertionError(exhausted);
            }
            found = reader.scan(input);
            if (pool.outstanding() > 4) {
                throw new AssertionError("holds " + pool.outstanding() + " chunks");
            }
        }
        input.release();
        if (pool.outstanding() != 0) {
            throw new AssertionError("chunks left");
        }
        return found == Found.HELLO ? reader.hello().toString() : found.toString();
    }
}
