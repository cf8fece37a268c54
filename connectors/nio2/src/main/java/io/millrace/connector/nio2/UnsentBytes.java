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

/** The unsent rest of one write. Used by one thread at a time. */
final class UnsentBytes {

    private static final int MAX_BUFFERS = 8;

    /** The reader of a file, which an asynchronous channel cannot send from the kernel. Null for memory, which is sent as it is. */
    private final @Nullable PayloadReader file;

    private ByteBuffer[] buffers;

    /** The index of the first buffer that is not sent. */
    private int first;

    /** The original limit of the first buffer while only a slice of it is being sent; -1 otherwise. */
    private int limit = -1;

    /**
     * The size of a file's last batch, in buffers. The next one is larger if the socket accepted the last one at once, and
     * smaller if an operation was pending, so that slow readers of large files occupy little memory.
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

    /** Reads the next batch of a file, if the buffers are sent. False if all is sent. */
    boolean hasMore() throws IOException {
        first = GatheringWrite.skipSent(buffers, first);
        if (first < buffers.length || file == null) {
            return first < buffers.length;
        }
        wanted = waited ? Math.max(1, wanted / 2) : Math.min(MAX_BUFFERS, wanted * 2);
        waited = false;
        buffers = file.next(wanted * BufferPool.BUFFER_SIZE);
        first = 0;
        return buffers.length > 0;
    }

    /** Starts one operation of the channel, with as much as it may accept. */
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

    /** Restores the buffers after an operation, whether it succeeded or failed. */
    void returned() {
        if (limit >= 0) {
            buffers[first].limit(limit);
            limit = -1;
        }
    }

    /** Records that the socket did not accept the operation at once. */
    void waited() {
        waited = true;
    }

    /** Releases leased memory. Called once, when no operation is pending. */
    void release() {
        if (file != null) {
            file.release();
        }
    }
}
