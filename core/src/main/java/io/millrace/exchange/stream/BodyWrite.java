package io.millrace.exchange.stream;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One write of a response's body: chunks with copied bytes, a region of a file, or nothing. Filled under the lock of its
 * stream, then sent by one thread. Its memory is released once, when it was sent or dropped.
 */
final class BodyWrite implements Completion {

    /**
     * The maximum number of chunks in one gathering write. Including its framing, a write then stays below 64 KiB, the
     * maximum segment that the kernel offloads: from 64 KiB on it takes twice the time per byte (Linux, loopback).
     */
    private static final int MAX_CHUNKS = 3;

    /** The room before the body's first byte, for the response's head if it fits. */
    static final int HEAD_ROOM = 1024;

    /** The room before and after the bytes of later writes, for a chunk's size, its end, and the last chunk. */
    static final int FRAME_ROOM = 16;

    /** A write of at least this many bytes counts as full and is sent. */
    static final int FULL = MAX_CHUNKS * BufferPool.BUFFER_SIZE - HEAD_ROOM - FRAME_ROOM;

    /** The weight of a file region. It uses no buffer, but must not be free, or a writer could queue millions. */
    private static final int FILE_WEIGHT = 16 * 1024;

    private final ExchangeOutputStream stream;
    private final Payload.@Nullable FileRegion region;
    private final Completion completion;
    private final Chunk[] chunks;
    private int count;
    private int headroom;
    private int weight;

    /** Whether it ends the response. */
    boolean last;

    /** The next write in its stream's queue. */
    @Nullable
    BodyWrite next;

    /** An empty write. */
    BodyWrite(ExchangeOutputStream stream) {
        this(stream, null, Completion.IGNORE, 0, new Chunk[MAX_CHUNKS]);
    }

    /** A write of a file region. */
    BodyWrite(ExchangeOutputStream stream, Payload.FileRegion region, Completion completion) {
        this(stream, region, completion, FILE_WEIGHT);
    }

    private BodyWrite(
            ExchangeOutputStream stream,
            Payload.@Nullable FileRegion region,
            Completion completion,
            int weight,
            Chunk... chunks) {
        this.stream = stream;
        this.region = region;
        this.completion = completion;
        this.weight = weight;
        this.chunks = chunks;
    }

    /** The number of bytes that it counts against the limit. */
    int weight() {
        return weight;
    }

    /** Whether another chunk can be added. */
    boolean takesChunks() {
        return count < chunks.length;
    }

    /** The number of bytes that can be added without another chunk. */
    int space() {
        return count == 0 ? 0 : chunks[count - 1].bytes().remaining();
    }

    /**
     * Adds an empty chunk.
     *
     * @param room the room for framing, if it is the first chunk
     */
    void add(Chunk chunk, int room) {
        if (count == 0) {
            headroom = room;
            chunk.bytes().position(room);
        }
        chunks[count++] = chunk;
        if (count == chunks.length) {
            ByteBuffer last = chunk.bytes();
            last.limit(last.limit() - FRAME_ROOM);
        }
    }

    /** Copies as many bytes as fit into the last chunk. */
    int copy(byte[] bytes, int offset, int length) {
        ByteBuffer buffer = chunks[count - 1].bytes();
        int copied = Math.min(length, buffer.remaining());
        buffer.put(bytes, offset, copied);
        weight += copied;
        return copied;
    }

    /** Adds a byte; there must be space. */
    void put(byte value) {
        chunks[count - 1].bytes().put(value);
        weight++;
    }

    /** The bytes to send. Called once, after the last byte was added. */
    Payload payload() {
        if (region != null) {
            return region;
        }
        if (count == 0) {
            return Payload.NOTHING;
        }
        ByteBuffer[] buffers = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            buffers[i] = chunks[i].bytes().flip();
        }
        buffers[0].position(headroom);
        return new Payload.Bytes(headroom, buffers);
    }

    /** Called when it was sent or has failed. */
    @Override
    public void done(@Nullable Throwable failure) {
        try {
            release(failure);
        } finally {
            stream.sent(failure);
        }
    }

    /** Completes a write and all that follow it without sending them; releases all of them even if a completion throws. */
    static void drop(@Nullable BodyWrite first, @Nullable Throwable failure) {
        BodyWrite write = first;
        try {
            while (write != null) {
                BodyWrite dropped = write;
                write = write.next;
                dropped.release(failure);
            }
        } finally {
            if (write != null) {
                drop(write, failure);
            }
        }
    }

    private void release(@Nullable Throwable failure) {
        for (int i = 0; i < count; i++) {
            chunks[i].release();
        }
        completion.done(failure);
    }
}
