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
 * Sends one piece of a response as SEND_BODY_CHUNK packets, between what comes before and after it: memory from where it is,
 * several packets in one write; files by way of buffers, since there is a packet's end in every few kilobytes.
 */
final class BodyPackets implements Completion {

    /** In one write: enough for its cost not to matter; for 64 KiB the kernel takes twice the time per byte (decision 003). */
    private static final int AT_ONCE = 3 * BufferPool.BUFFER_SIZE;

    /** Writes of a file in a row: who takes them as fast as they come would otherwise keep the thread from all others. */
    private static final int ROUNDS = 16;

    private final SerialConnection connection;
    private final int mostData;
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
        mostData = Math.min(AT_ONCE, packetSize - ServerPackets.CHUNK_OVERHEAD);
        this.body = PayloadReader.of(body, connection.transport().channel().buffers());
        isFile = body instanceof Payload.FileRegion;
    }

    /** Sends it. Told when all is gone. */
    static void send(
            SerialConnection connection,
            int packetSize,
            @Nullable ByteBuffer before,
            Payload body,
            ByteBuffer after,
            Completion done) {
        new BodyPackets(connection, packetSize, before, body, after, done).next();
    }

    /** A part of it is gone. */
    @Override
    public void done(@Nullable Throwable failure) {
        body.release();
        if (failure != null || body.remaining() == 0) {
            done.done(failure);
        } else if (++writes % ROUNDS != 0 || !connection.dispatcher().turns().take(this::next)) {
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
                data = body.next(AT_ONCE - AT_ONCE % mostData); // full packets, but for the last
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

    /** As few packets as can hold the data; one may be of several buffers. The end of each and the next's head are one. */
    private void addPackets(List<ByteBuffer> out, ByteBuffer... data) {
        int most = (int) new Payload.Bytes(data).remaining();
        int count = (most + mostData - 1) / mostData;
        ByteBuffer frames = ByteBuffer.allocate(count * ServerPackets.CHUNK_OVERHEAD);
        int start = 0;
        int at = 0;
        for (int missing = most; missing > 0; missing -= mostData) {
            int size = Math.min(mostData, missing);
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

    /** Takes so many bytes from the buffer at an index on. The index where the next ones are. */
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
