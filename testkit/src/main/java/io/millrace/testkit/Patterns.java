package io.millrace.testkit;

import io.millrace.io.Chunk;
import java.io.ByteArrayOutputStream;
import java.util.Random;

/** Sequences of bytes that do not repeat themselves, so that lost and reordered bytes are detected. */
final class Patterns {

    private Patterns() {}

    static byte[] bytes(int count, long seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Copies a chunk's bytes and releases it. */
    static void append(Chunk chunk, ByteArrayOutputStream into) {
        byte[] bytes = new byte[chunk.bytes().remaining()];
        chunk.bytes().get(bytes);
        chunk.release();
        into.writeBytes(bytes);
    }
}
