package io.millrace.exchange;

import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was written and is not under way yet, in order; the last chunk is still being filled. Not thread-safe. */
final class OutputQueue {

    /**
     * Chunks in one gathering write. With its framing a write then stays below 64 KiB, the most that the kernel makes one
     * segment of: 64 KiB and more, measured on Linux over loopback, take it twice the time per byte.
     */
    private static final int MAX_BATCH = 3;

    private @Nullable ArrayDeque<Piece> pieces;
    private int weight;
    private @Nullable Chunk tail;

    /** Bytes held; a piece of a file counts like a chunk. */
    int weight() {
        Chunk last = tail;
        return last == null ? weight : weight + last.bytes().position();
    }

    boolean isEmpty() {
        return weight() == 0;
    }

    /** True if bytes can be added without another chunk. */
    boolean hasSpace() {
        return tail != null;
    }

    /** An empty chunk to be filled next. */
    void extend(Chunk chunk) {
        tail = chunk;
    }

    /** Copies as much as the last chunk takes. Only if there is space. */
    int copy(byte[] bytes, int offset, int length) {
        Chunk last = tail;
        if (last == null) {
            return 0;
        }
        ByteBuffer buffer = last.bytes();
        int count = Math.min(length, buffer.remaining());
        buffer.put(bytes, offset, count);
        if (!buffer.hasRemaining()) {
            seal();
        }
        return count;
    }

    /** Adds a byte, if that needs no other chunk and fills none. */
    boolean put(byte value) {
        Chunk last = tail;
        if (last == null || last.bytes().remaining() < 2) {
            return false;
        }
        last.bytes().put(value);
        return true;
    }

    void add(Payload.FileRegion region, Completion completion) {
        seal();
        push(new Piece.File(region, completion));
    }

    /** The next thing to send: one piece of a file, or chunks up to the next one; null if there is nothing. */
    @Nullable
    List<Piece> take() {
        ArrayDeque<Piece> waiting = pieces;
        if (waiting == null || waiting.isEmpty()) {
            return takeTail();
        }
        List<Piece> taken = new ArrayList<>(Math.min(MAX_BATCH, waiting.size() + 1));
        if (waiting.peek() instanceof Piece.File) {
            add(taken, waiting.remove());
            return taken;
        }
        while (taken.size() < MAX_BATCH && waiting.peek() instanceof Piece.Copied) {
            add(taken, waiting.remove());
        }
        if (taken.size() < MAX_BATCH && waiting.isEmpty()) {
            Piece last = sealed();
            if (last != null) {
                taken.add(last);
            }
        }
        return taken;
    }

    /** Empties the queue. The caller tells the pieces, outside its locks. */
    List<Piece> clear() {
        seal();
        ArrayDeque<Piece> waiting = pieces;
        pieces = null;
        weight = 0;
        return waiting == null ? List.of() : new ArrayList<>(waiting);
    }

    private void add(List<Piece> taken, Piece piece) {
        weight -= piece.weight();
        taken.add(piece);
    }

    private @Nullable List<Piece> takeTail() {
        Piece last = sealed();
        return last == null ? null : List.of(last);
    }

    private void seal() {
        Piece last = sealed();
        if (last != null) {
            push(last);
        }
    }

    /** The chunk being filled, ready to be sent; null if there is none. An empty one goes back to its pool. */
    private @Nullable Piece sealed() {
        Chunk last = tail;
        tail = null;
        if (last == null) {
            return null;
        }
        ByteBuffer buffer = last.bytes().flip();
        if (!buffer.hasRemaining()) {
            last.release();
            return null;
        }
        return new Piece.Copied(last, buffer.remaining());
    }

    private void push(Piece piece) {
        ArrayDeque<Piece> waiting = pieces;
        if (waiting == null) {
            waiting = new ArrayDeque<>();
            pieces = waiting;
        }
        waiting.add(piece);
        weight += piece.weight();
    }
}
