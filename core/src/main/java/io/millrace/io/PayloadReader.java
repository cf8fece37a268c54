package io.millrace.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a payload piece by piece, where it is encrypted, compressed or put into frames rather than sent as it is: memory from
 * where it lies, a piece of a file by way of pooled buffers. By one thread at a time.
 */
public final class PayloadReader {

    private final Payload.@Nullable FileRegion region;
    private final BufferPool pool;

    /** What is read of the file and not taken yet lies here; empty for memory. */
    private final List<Chunk> chunks;

    private ByteBuffer[] buffers;

    /** Those before have nothing left. */
    private int first;

    /** Of the file. */
    private long unread;

    /** A buffer that was given out only in part, until the next call; and its own limit. */
    private @Nullable ByteBuffer narrowed;

    private int limit;

    private PayloadReader(Payload payload, BufferPool pool) {
        this.pool = pool;
        if (payload instanceof Payload.FileRegion piece) {
            region = piece;
            unread = piece.remaining();
            chunks = new ArrayList<>(1);
            buffers = new ByteBuffer[0];
        } else {
            region = null;
            chunks = List.of();
            buffers = ((Payload.Bytes) payload).buffers();
        }
    }

    /**
     * A reader from the start of the payload.
     *
     * @param pool lends the buffers for a file
     */
    public static PayloadReader of(Payload payload, BufferPool pool) {
        return new PayloadReader(payload, pool);
    }

    /** How many bytes were not taken yet. */
    public long remaining() {
        long sum = unread + (narrowed == null ? 0 : limit - narrowed.limit());
        for (int i = first; i < buffers.length; i++) {
            sum += buffers[i].remaining();
        }
        return sum;
    }

    /**
     * The next bytes, at most so many; fewer where the pool is short of buffers, but none only at the end. Taking them moves
     * the buffers' positions, those of the payload's own buffers too; what is not taken is there again the next time. Good
     * until the next call.
     *
     * @param most more than 0
     * @throws IOException if the file can't be read, or turns out {@linkplain #truncated shorter} than the piece; all buffers
     *     have been given back then
     */
    public ByteBuffer[] next(int most) throws IOException {
        widen();
        skipTaken();
        if (first == buffers.length && unread > 0) {
            boolean filled = false;
            try {
                fill((int) Math.min(most, unread));
                filled = true;
            } finally {
                if (!filled) {
                    giveBack();
                }
            }
        }
        return narrow(most);
    }

    /** Holds nothing any more. What was not taken is read again, should {@link #next} be called once more. */
    public void release() {
        widen();
        if (region != null) {
            unread = remaining();
            giveBack();
        }
    }

    /** What is thrown where a file is shorter than the piece of it that was to be sent. */
    public static EOFException truncated(long missing) {
        return new EOFException("the file ended " + missing + " bytes before the end of the piece to be sent");
    }

    private void skipTaken() {
        while (first < buffers.length && !buffers[first].hasRemaining()) {
            first++;
        }
    }

    private ByteBuffer[] narrow(int most) {
        int room = most;
        int end = first;
        while (end < buffers.length && room > 0) {
            ByteBuffer last = buffers[end++];
            if (last.remaining() > room) {
                narrowed = last;
                limit = last.limit();
                last.limit(last.position() + room);
            }
            room -= last.remaining();
        }
        return first == 0 && end == buffers.length ? buffers : Arrays.copyOfRange(buffers, first, end);
    }

    private void widen() {
        if (narrowed != null) {
            narrowed.limit(limit);
            narrowed = null;
        }
    }

    private void fill(int count) throws IOException {
        lease((count + BufferPool.BUFFER_SIZE - 1) / BufferPool.BUFFER_SIZE);
        ByteBuffer[] filled = new ByteBuffer[chunks.size()];
        int left = count;
        for (int i = 0; i < filled.length; i++) {
            ByteBuffer buffer = chunks.get(i).bytes().clear();
            filled[i] = fill(buffer.limit(Math.min(left, buffer.capacity())));
            left -= filled[i].remaining();
        }
        buffers = filled;
        first = 0;
    }

    private ByteBuffer fill(ByteBuffer buffer) throws IOException {
        Payload.FileRegion from = region;
        while (from != null && buffer.hasRemaining()) {
            int count = from.file().read(buffer, from.position() + from.remaining() - unread);
            if (count < 0) {
                throw truncated(unread);
            }
            unread -= count;
        }
        return buffer.flip();
    }

    /** Where output has used up its share of the pool, a little memory of the heap must do. */
    private void lease(int count) {
        while (chunks.size() > count) {
            chunks.remove(chunks.size() - 1).release();
        }
        while (chunks.size() < count) {
            Chunk chunk = pool.tryLease();
            if (chunk == null) {
                if (chunks.isEmpty()) {
                    chunks.add(Chunk.wrap(ByteBuffer.allocate(BufferPool.BUFFER_SIZE)));
                }
                return;
            }
            chunks.add(chunk);
        }
    }

    private void giveBack() {
        chunks.forEach(Chunk::release);
        chunks.clear();
        buffers = new ByteBuffer[0];
        first = 0;
    }
}
