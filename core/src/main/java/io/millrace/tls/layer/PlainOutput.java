package io.millrace.tls.layer;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What is to be encrypted of one write. By one thread at a time, the writer's. */
interface PlainOutput {

    /** Nothing at all: only what the engine itself has to say. */
    PlainOutput NOTHING = new Bytes();

    /** Bytes not encrypted yet. */
    long remaining();

    /** Some of them, at least a record's worth if there is as much; encrypting moves the positions. */
    ByteBuffer[] next() throws IOException;

    /** Encryption stops for now, or for ever: holds nothing any more. */
    void pause();

    static PlainOutput of(Payload payload, BufferPool pool) {
        return payload instanceof Payload.FileRegion region
                ? new Region(region, pool)
                : new Bytes(((Payload.Bytes) payload).buffers());
    }

    /** The sender's own memory. */
    final class Bytes implements PlainOutput {

        private final ByteBuffer[] buffers;

        Bytes(ByteBuffer... buffers) {
            this.buffers = buffers;
        }

        @Override
        public long remaining() {
            long sum = 0;
            for (ByteBuffer buffer : buffers) {
                sum += buffer.remaining();
            }
            return sum;
        }

        @Override
        public ByteBuffer[] next() {
            return buffers;
        }

        @Override
        public void pause() {
            // nothing is held
        }
    }

    /** A piece of a file, read into a chunk of the pool while it is being encrypted. */
    final class Region implements PlainOutput {

        private final Payload.FileRegion region;
        private final BufferPool pool;
        private final ByteBuffer[] next = new ByteBuffer[1];
        private @Nullable Chunk chunk;
        private long position;
        private long unread;

        Region(Payload.FileRegion region, BufferPool pool) {
            this.region = region;
            this.pool = pool;
            position = region.position();
            unread = region.remaining();
        }

        @Override
        public long remaining() {
            return unread + (chunk == null ? 0 : chunk.bytes().remaining());
        }

        @Override
        public ByteBuffer[] next() throws IOException {
            ByteBuffer buffer = buffer().compact();
            buffer.limit((int) Math.min(buffer.capacity(), buffer.position() + unread));
            while (buffer.hasRemaining()) {
                int count = region.file().read(buffer, position);
                if (count < 0) {
                    throw new EOFException(
                            "the file ended " + unread + " bytes before the end of the piece to be sent");
                }
                position += count;
                unread -= count;
            }
            next[0] = buffer.flip();
            return next;
        }

        private ByteBuffer buffer() throws IOException {
            if (chunk == null) {
                chunk = pool.lease();
                chunk.bytes().limit(0);
            }
            return chunk.bytes();
        }

        @Override
        public void pause() {
            if (chunk != null) {
                position -= chunk.bytes().remaining();
                unread += chunk.bytes().remaining();
                chunk.release();
                chunk = null;
            }
        }
    }
}
