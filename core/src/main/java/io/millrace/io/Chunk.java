package io.millrace.io;

import java.nio.ByteBuffer;

/**
 * Bytes with exactly one owner, who releases them once. Whoever is handed a chunk owns it; handing it on gives the
 * ownership away. After {@link #release} neither the chunk nor its buffer may be touched.
 */
public interface Chunk {

    /** The end of the input: no bytes, and none will follow. Releasing it does nothing. */
    Chunk END = new EndChunk();

    /**
     * The unread bytes, between position and limit. The owner may change both. Writable up to its capacity only when the
     * chunk was leased for writing.
     */
    ByteBuffer bytes();

    /** True if no more input follows. Such a chunk has no bytes. */
    boolean isEnd();

    /**
     * Gives the memory back.
     *
     * @throws IllegalStateException if it was released before
     */
    void release();

    /** A chunk over memory that no pool owns; releasing it does nothing. */
    static Chunk wrap(ByteBuffer bytes) {
        return new UnpooledChunk(bytes);
    }
}
