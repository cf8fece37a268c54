package io.millrace.exchange.stream;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One write of a response's body: chunks with what was copied into them, a piece of a file, or nothing. Filled under the lock
 * of its stream, then sent by one thread. Its memory is given back, once, when it was sent or dropped.
 */
final class BodyWrite implements Completion {

    /**
     * Chunks in one gathering write. With its framing a write then stays below 64 KiB, the most that the kernel makes one
     * segment of: 64 KiB and more, measured on Linux over loopback, take it twice the time per byte.
     */
    private static final int MAX_CHUNKS = 3;

    /** Left free before the body's first byte: the response's head is written there, if it is not longer. */
    static final int HEAD_ROOM = 1024;

    /** Left free before and behind the bytes of later writes, for a chunk's size, its end, and the last chunk. */
    static final int FRAME_ROOM = 16;

    /** A write that has so many bytes may be sent: it is full, or as good as that. */
    static final int FULL = MAX_CHUNKS * BufferPool.BUFFER_SIZE - HEAD_ROOM - FRAME_ROOM;

    /** What a piece of a file counts. It takes no memory, but must not be free, lest a writer queue millions. */
    private static final int FILE_WEIGHT = 16 * 1024;

    private final ExchangeOutputStream stream;
    private final Payload.@Nullable FileRegion region;
    private final Completion completion;
    private final Chunk[] chunks;
    private int count;
    private int headroom;
    private int weight;

    /** Ends the response. */
    boolean last;

    /** The one behind it in its stream's queue. */
    @Nullable
    BodyWrite next;

    /** Empty, to be filled. */
    BodyWrite(ExchangeOutputStream stream) {
        this(stream, null, Completion.IGNORE, 0, new Chunk[MAX_CHUNKS]);
    }

    /** A piece of a file. */
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

    /** How many bytes of memory it takes, or is taken to take. */
    int weight() {
        return weight;
    }

    /** May it be given one more chunk? */
    boolean takesChunks() {
        return count < chunks.length;
    }

    /** Bytes that can be added without another chunk. */
    int space() {
        return count == 0 ? 0 : chunks[count - 1].bytes().remaining();
    }

    /**
     * Gives it an empty chunk.
     *
     * @param room left free in front, for framing, if it is the first
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

    /** Copies as much as the last chunk takes. */
    int copy(byte[] bytes, int offset, int length) {
        ByteBuffer buffer = chunks[count - 1].bytes();
        int copied = Math.min(length, buffer.remaining());
        buffer.put(bytes, offset, copied);
        weight += copied;
        return copied;
    }

    /** Adds a byte. Only if there is space. */
    void put(byte value) {
        chunks[count - 1].bytes().put(value);
        weight++;
    }

    /** What is to be sent. Once, after the last byte was added. */
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

    /** Sent, or not, on the thread that found out. */
    @Override
    public void done(@Nullable Throwable failure) {
        try {
            release(failure);
        } finally {
            stream.sent(failure);
        }
    }

    /** Tells those that will not be sent, the first and all behind it, whatever one throws: the others get their memory back. */
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
