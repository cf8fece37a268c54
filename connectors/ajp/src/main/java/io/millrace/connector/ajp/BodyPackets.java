package io.millrace.connector.ajp;

import io.millrace.io.BufferPool;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import io.millrace.protocol.serial.SerialConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends one piece of a response as SEND_BODY_CHUNK packets, between the packets before and after it. Memory is sent without
 * copying, several packets in one write; files are copied to buffers, because a packet ends every few kilobytes.
 */
final class BodyPackets implements Completion {

    /** Octets of one write: enough to make its cost negligible; with 64 KiB the kernel takes twice the time per byte (docs/design/exchange.md). */
    private static final int AT_ONCE = 3 * BufferPool.BUFFER_SIZE;

    /** Consecutive writes of a file, before other connections get the thread: a fast peer could occupy it for ever. */
    private static final int MAX_WRITES = 16;

    private final SerialConnection connection;
    private final int maxData;
    private final PayloadReader body;
    private final boolean isFile;
    private final ByteBuffer after;
    private final Completion done;
    private @Nullable ByteBuffer before;
    private int writes;

    private BodyPackets(
            SerialConnection connection,
            int packetSize,
            @Nullable ByteBuffer before,
            Payload body,
            ByteBuffer after,
            Completion done) {
        this.connection = connection;
        this.before = before;
        this.after = after;
        this.done = done;
        maxData = Math.min(AT_ONCE, packetSize - ServerPackets.CHUNK_OVERHEAD);
        this.body = PayloadReader.of(body, connection.transport().channel().buffers());
        isFile = body instanceof Payload.FileRegion;
    }

    /** Sends a piece. The completion is called when all of it has been sent. */
    static void send(
            SerialConnection connection,
            int packetSize,
            @Nullable ByteBuffer before,
            Payload body,
            ByteBuffer after,
            Completion done) {
        new BodyPackets(connection, packetSize, before, body, after, done).next();
    }

    /** Continues after one write. */
    @Override
    public void done(@Nullable Throwable failure) {
        body.release();
        if (failure != null || body.remaining() == 0) {
            done.done(failure);
        } else if (++writes % MAX_WRITES != 0
                || !connection.dispatcher().turns().take(this::next)) {
            next();
        }
    }

    private void next() {
        List<ByteBuffer> out = new ArrayList<>(8);
        if (before != null) {
            out.add(before);
            before = null;
        }
        ByteBuffer[] data = {};
        if (body.remaining() > 0) {
            try {
                data = body.next(AT_ONCE - AT_ONCE % maxData); // all packets except the last are full
            } catch (IOException unreadable) {
                done(unreadable);
                return;
            }
        }
        addPackets(out, data);
        boolean isLast = body.remaining() == 0;
        if (isLast) {
            out.add(after);
        }
        Payload payload = new Payload.Bytes(out.toArray(ByteBuffer[]::new));
        connection.outbox().send(isLast && !isFile ? done : this, payload);
    }

    /** Adds as few packets as possible; one may consist of several buffers. The end of each and the next one's head are one buffer. */
    private void addPackets(List<ByteBuffer> out, ByteBuffer... data) {
        int length = (int) new Payload.Bytes(data).remaining();
        int count = (length + maxData - 1) / maxData;
        ByteBuffer frames = ByteBuffer.allocate(count * ServerPackets.CHUNK_OVERHEAD);
        int start = 0;
        int at = 0;
        for (int missing = length; missing > 0; missing -= maxData) {
            int size = Math.min(maxData, missing);
            ServerPackets.chunkHead(frames, size);
            out.add(frames.slice(start, frames.position() - start));
            start = frames.position();
            at = addData(out, size, at, data);
            frames.put(ServerPackets.CHUNK_END);
        }
        if (count > 0) {
            out.add(frames.slice(start, frames.position() - start));
        }
    }

    /** Adds this number of bytes, starting with the buffer at an index. Returns the index of the next bytes. */
    private static int addData(List<ByteBuffer> out, int size, int index, ByteBuffer... data) {
        int missing = size;
        int at = index;
        while (missing > 0) {
            ByteBuffer from = data[at];
            int step = Math.min(missing, from.remaining());
            if (step > 0) {
                out.add(from.slice(from.position(), step));
                from.position(from.position() + step);
                missing -= step;
            }
            at += from.hasRemaining() ? 0 : 1;
        }
        return at;
    }
}
