package io.millrace.connector.ajp;

import io.millrace.io.BufferPool;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.serial.Piece;
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

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final SerialConnection connection;
    private final int mostData;
    private final @Nullable FileBody file;
    private final ByteBuffer after;
    private final Completion done;
    private @Nullable ByteBuffer before;
    private List<ByteBuffer> memory;
    private int at;
    private long left;
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
        memory = body instanceof Payload.Bytes bytes ? List.of(bytes.buffers()) : List.of();
        file = body instanceof Payload.FileRegion region
                ? new FileBody(region, connection.transport().channel().buffers())
                : null;
        left = body.remaining();
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
        if (file != null) {
            file.release();
        }
        if (failure != null || left == 0) {
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
        int size = (int) Math.min(AT_ONCE - AT_ONCE % mostData, left); // full packets, but for the last
        if (file != null) {
            try {
                memory = file.read(size);
                at = 0;
            } catch (IOException unreadable) {
                done(unreadable);
                return;
            }
        }
        addPackets(out, size);
        left -= size;
        if (left == 0) {
            out.add(after);
        }
        Payload payload = new Payload.Bytes(out.toArray(ByteBuffer[]::new));
        boolean isAll = left == 0 && file == null;
        connection.outbox().send(Piece.of(NOTHING, payload, isAll ? done : this));
    }

    /** As few packets as can hold so much; one may be of several buffers. The end of each and the next's head are one. */
    private void addPackets(List<ByteBuffer> out, int most) {
        int count = (most + mostData - 1) / mostData;
        ByteBuffer frames = ByteBuffer.allocate(count * ServerPackets.CHUNK_OVERHEAD);
        int start = 0;
        for (int missing = most; missing > 0; missing -= mostData) {
            int size = Math.min(mostData, missing);
            ServerPackets.chunkHead(frames, size);
            out.add(frames.slice(start, frames.position() - start));
            start = frames.position();
            addData(out, size);
            frames.put(ServerPackets.CHUNK_END);
        }
        if (count > 0) {
            out.add(frames.slice(start, frames.position() - start));
        }
    }

    private void addData(List<ByteBuffer> out, int size) {
        int missing = size;
        while (missing > 0) {
            ByteBuffer from = memory.get(at);
            int step = Math.min(missing, from.remaining());
            if (step > 0) {
                out.add(from.slice(from.position(), step));
                from.position(from.position() + step);
                missing -= step;
            }
            at += from.hasRemaining() ? 0 : 1;
        }
    }
}
