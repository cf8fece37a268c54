package io.millrace.http1;

import io.millrace.io.Chunk;

/** The body of a request that has none. */
enum NoBody implements BodyDecoder {
    NO_BODY;

    @Override
    public Chunk read() {
        return Chunk.END;
    }

    @Override
    public boolean isExhausted() {
        return true;
    }

    @Override
    public long left() {
        return 0;
    }
}
