package io.millrace.connector.nio2;

import io.millrace.io.BufferPool;
import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What is left of one write. Used by one thread at a time. */
final class Outgoing {

    /** Heap memory is copied on its way out, into a buffer of this size that the JDK keeps with the thread. */
    private static final int HEAP_SLICE = 128 * 1024;

    private final @Nullable FileBatch file;
    private ByteBuffer[] buffers;

    /** Those before are sent. */
    private int first;

    /** The first buffer's own limit, while only a slice of it is being sent; -1 otherwise. */
    private int limit = -1;

    private boolean waited;

    Outgoing(Payload payload, BufferPool pool) {
        if (payload instanceof Payload.Bytes bytes) {
            file = null;
            buffers = bytes.buffers();
        } else {
            file = new FileBatch((Payload.FileRegion) payload, pool);
            buffers = new ByteBuffer[0];
        }
    }

    /** Looks for more to send. False if all is sent. */
    boolean hasMore() throws IOException {
        skipSent();
        if (first < buffers.length) {
            return true;
        }
        if (file != null) {
            buffers = file.next(waited);
            first = 0;
            waited = false;
        }
        return first < buffers.length;
    }

    private void skipSent() {
        while (first < buffers.length && !buffers[first].hasRemaining()) {
            first++;
        }
    }

    /** Gives the channel as much as it may take in one operation. */
    @SuppressWarnings("unchecked") // the handler takes any number
    void start(AsynchronousSocketChannel channel, CompletionHandler<? extends Number, @Nullable Void> handler) {
        int count = gatherable();
        if (count > 1) {
            channel.write(
                    buffers, first, count, 0, TimeUnit.MILLISECONDS, null, (CompletionHandler<Long, @Nullable Void>)
                            handler);
            return;
        }
        if (count == 0) {
            limit = buffers[first].limit();
            buffers[first].limit(buffers[first].position() + HEAP_SLICE);
        }
        channel.write(
                buffers[first], 0, TimeUnit.MILLISECONDS, null, (CompletionHandler<Integer, @Nullable Void>) handler);
    }

    /** How many buffers from the first on can go out in one operation; 0 if the first is too large even alone. */
    private int gatherable() {
        int end = first;
        while (end < buffers.length && (buffers[end].isDirect() || buffers[end].remaining() <= HEAP_SLICE)) {
            end++;
        }
        return end - first;
    }

    /** The operation has ended, well or badly. */
    void returned() {
        if (limit >= 0) {
            buffers[first].limit(limit);
            limit = -1;
        }
    }

    /** The peer did not take the operation at once. */
    void waits() {
        waited = true;
    }

    /** Gives back what was leased. Once, when no operation is under way. */
    void release() {
        if (file != null) {
            file.release();
        }
    }
}
