package io.millrace.connector.nio2;

import io.millrace.io.BufferPool;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import io.millrace.io.socket.GatheringWrite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What is left of one write. Used by one thread at a time. */
final class UnsentBytes {

    private static final int MOST_BUFFERS = 8;

    /** Of a file: an asynchronous channel has no way to send it from the kernel. Null for memory, which goes out as it is. */
    private final @Nullable PayloadReader file;

    private ByteBuffer[] buffers;

    /** Those before are sent. */
    private int first;

    /** The first buffer's own limit, while only a slice of it is being sent; -1 otherwise. */
    private int limit = -1;

    /**
     * Of a file, to be read next, in buffers. A peer that takes a batch at once gets a larger one next, a peer that lets us
     * wait a smaller one; so slow readers of large files hold little memory.
     */
    private int wanted = 1;

    private boolean waited;

    UnsentBytes(Payload payload, BufferPool pool) {
        if (payload instanceof Payload.Bytes bytes) {
            file = null;
            buffers = bytes.buffers();
        } else {
            file = PayloadReader.of(payload, pool);
            buffers = new ByteBuffer[0];
        }
    }

    /** Looks for more to send. False if all is sent. */
    boolean hasMore() throws IOException {
        first = GatheringWrite.skipSent(buffers, first);
        if (first < buffers.length || file == null) {
            return first < buffers.length;
        }
        wanted = waited ? Math.max(1, wanted / 2) : Math.min(MOST_BUFFERS, wanted * 2);
        waited = false;
        buffers = file.next(wanted * BufferPool.BUFFER_SIZE);
        first = 0;
        return buffers.length > 0;
    }

    /** Gives the channel as much as it may take in one operation. */
    @SuppressWarnings("unchecked") // the handler takes any number
    void start(AsynchronousSocketChannel channel, CompletionHandler<? extends Number, @Nullable Void> handler) {
        int count = GatheringWrite.gatherable(buffers, first);
        if (count > 1) {
            channel.write(
                    buffers, first, count, 0, TimeUnit.MILLISECONDS, null, (CompletionHandler<Long, @Nullable Void>)
                            handler);
            return;
        }
        if (count == 0) {
            limit = GatheringWrite.narrow(buffers[first]);
        }
        channel.write(
                buffers[first], 0, TimeUnit.MILLISECONDS, null, (CompletionHandler<Integer, @Nullable Void>) handler);
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
