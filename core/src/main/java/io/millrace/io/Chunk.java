package io.millrace.io;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer with exactly one owner, who releases it once. Whoever receives a chunk owns it; passing it on transfers the
 * ownership. After {@link #release} neither the chunk nor its buffer may be used.
 */
public interface Chunk {

    /** The end of the input: has no bytes, and nothing follows. Releasing it does nothing. */
    Chunk END = new EndChunk();

    /**
     * An end that may be somebody else's: the connection below ended, but over TLS the peer has not said so (close_notify; RFC
     * 8446, 6.1). Input whose length is known otherwise is complete all the same; other input may have been cut.
     */
    Chunk TRUNCATED_END = new EndChunk();

    /**
     * The unread bytes, between position and limit. The owner may change both. The buffer may be written up to its
     * capacity only if the chunk was leased for writing.
     */
    ByteBuffer bytes();

    /** Whether this is the end of the input; such a chunk has no bytes. */
    boolean isEnd();

    /**
     * Returns the buffer to its pool. The end and wrapped chunks belong to no pool; releasing them does nothing.
     *
     * @throws IllegalStateException if it has been released already
     */
    void release();

    /** Whether this is {@link #TRUNCATED_END}. */
    @SuppressWarnings("ReferenceEquality") // there is one
    static boolean isTruncatedEnd(@Nullable Chunk chunk) {
        return chunk == TRUNCATED_END;
    }

    /** A chunk whose buffer belongs to no pool; releasing it does nothing. */
    static Chunk wrap(ByteBuffer bytes) {
        return new UnpooledChunk(bytes);
    }
}
