package io.millrace.testkit;

import io.millrace.io.Chunk;
import java.io.ByteArrayOutputStream;
import java.util.Random;

/** Bytes whose order shows: each stretch of them is different. */
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
