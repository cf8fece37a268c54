package io.millrace.connector.ajp;

import io.millrace.io.BufferPool;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.serial.Outbox;
import io.millrace.protocol.serial.Piece;
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

    private static final ByteBuffer ZERO = ByteBuffer.wrap(new byte[1]).asReadOnlyBuffer();

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final Outbox outbox;
    private final int mostData;
    private final @Nullable FileBody file;
    private final ByteBuffer after;
    private final Completion done;
    private @Nullable ByteBuffer before;
    private List<ByteBuffer> memory;
    private int at;
    private long left;

    private BodyPackets(
            Outbox outbox,
            int mostData,
            Payload body,
            @Nullable ByteBuffer before,
            ByteBuffer after,
            Completion done,
            @Nullable FileBody file) {
        this.outbox = outbox;
        this.mostData = Math.min(AT_ONCE, mostData);
        memory = body instanceof Payload.Bytes bytes ? List.of(bytes.buffers()) : List.of();
        this.file = file;
        this.before = before;
        this.after = after;
        this.done = done;
        left = body.remaining();
    }

    /** Sends it. Told when all is gone. */
    static void send(
            Outbox outbox,
            int packetSize,
            BufferPool buffers,
            @Nullable ByteBuffer before,
            Payload body,
            ByteBuffer after,
            Completion done) {
        int mostData = packetSize - ServerPackets.CHUNK_OVERHEAD;
        FileBody file = body instanceof Payload.FileRegion region ? new FileBody(region, buffers) : null;
        new BodyPackets(outbox, mostData, body, before, after, done, file).next();
    }

    /** A part of it is gone. */
    @Override
    public void done(@Nullable Throwable failure) {
        if (file != null) {
            file.release();
        }
        if (failure == null && left > 0) {
            next();
        } else {
            done.done(failure);
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
        outbox.send(Piece.of(NOTHING, payload, isAll ? done : this));
    }

    /** As few packets as can hold so much: a packet may be of several buffers. */
    private void addPackets(List<ByteBuffer> out, int most) {
        ByteBuffer heads = ByteBuffer.allocate((most + mostData - 1) / mostData * ServerPackets.CHUNK_HEAD);
        for (int missing = most; missing > 0; ) {
            int size = Math.min(mostData, missing);
            int start = heads.position();
            ServerPackets.chunkHead(heads, size);
            out.add(heads.slice(start, ServerPackets.CHUNK_HEAD));
            addData(out, size);
            out.add(ZERO.duplicate());
            missing -= size;
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
