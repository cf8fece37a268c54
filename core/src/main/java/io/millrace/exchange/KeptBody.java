package io.millrace.exchange;

import io.millrace.io.Chunk;
import java.nio.ByteBuffer;

/** A request body in memory. Confined to the owner of the exchange. */
final class KeptBody implements BodySource {

    private Chunk next;

    KeptBody(byte[] bytes) {
        next = bytes.length == 0 ? Chunk.END : Chunk.wrap(ByteBuffer.wrap(bytes));
    }

    @Override
    public Chunk read() {
        Chunk chunk = next;
        next = Chunk.END;
        return chunk;
    }

    @Override
    public void awaitReadable(Runnable ready) {
        ready.run();
    }
}
