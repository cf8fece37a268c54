package io.millrace.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a payload piece by piece, to encrypt, compress or frame it: buffers in place, a file region through pooled
 * buffers. Not thread-safe.
 */
public final class PayloadReader {

    private final Payload.@Nullable FileRegion region;
    private final BufferPool pool;

    /** The bytes of the file that were read and not yet taken; empty for buffers in memory. */
    private final List<Chunk> chunks;

    private ByteBuffer[] buffers;

    /** The index of the first buffer with remaining bytes. */
    private int first;

    /** The bytes of the file that have not been read. */
    private long unread;

    /** The buffer of which only a part was returned, until the next call; {@code limit} is its original limit. */
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
     * A reader that begins at the start of the payload.
     *
     * @param pool the buffers for a file
     */
    public static PayloadReader of(Payload payload, BufferPool pool) {
        return new PayloadReader(payload, pool);
    }

    /** The number of bytes that have not been taken. */
    public long remaining() {
        long sum = unread + (narrowed == null ? 0 : limit - narrowed.limit());
        for (int i = first; i < buffers.length; i++) {
            sum += buffers[i].remaining();
        }
        return sum;
    }

    /**
     * The next bytes, at most this many. They may be fewer if the pool lacks buffers, but are empty only at the end.
     * Taking bytes advances the buffers' positions, including those of the payload's own buffers; bytes that are not
     * taken are returned again. The result is valid until the next call.
     *
     * @param most the maximum number of bytes, greater than 0
     * @throws IOException if the file cannot be read, or is {@linkplain #truncated shorter} than the region; all pooled
     *     buffers have been released then
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

    /** Releases all pooled buffers. Bytes that were not taken are read again if {@link #next} is called once more. */
    public void release() {
        widen();
        if (region != null) {
            unread = remaining();
            giveBack();
        }
    }

    /** The exception for a file that is shorter than the region to be sent. */
    public static EOFException truncated(long missing) {
        return new EOFException("the file ended " + missing + " bytes before the end of the region to be sent");
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

    /** Leases pooled buffers; falls back to one heap buffer if output's share of the pool is used up. */
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
