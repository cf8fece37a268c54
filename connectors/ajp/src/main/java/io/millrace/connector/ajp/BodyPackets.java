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
 * several packets in one write; files through buffers, since there is a packet's end in every few kilobytes.
 */
final class BodyPackets implements Completion {

    /** In one write: enough for its cost not to matter, and few enough for any gathering write. */
    private static final int PACKETS = 16;

    private static final ByteBuffer ZERO = ByteBuffer.wrap(new byte[1]).asReadOnlyBuffer();

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final Outbox outbox;
    private final int mostData;
    private final List<ByteBuffer> memory;
    private final @Nullable FileBody file;
    private final ByteBuffer after;
    private final Completion done;
    private @Nullable ByteBuffer before;
    private long left;
    private int at;

    private BodyPackets(
            Outbox outbox,
            int packetSize,
            Payload body,
            @Nullable ByteBuffer before,
            ByteBuffer after,
            Completion done,
            @Nullable FileBody file) {
        this.outbox = outbox;
        mostData = packetSize - ServerPackets.CHUNK_OVERHEAD;
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
        FileBody file = body instanceof Payload.FileRegion region ? new FileBody(region, buffers, packetSize) : null;
        new BodyPackets(outbox, packetSize, body, before, after, done, file).next();
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
        try {
            add(out);
        } catch (IOException unreadable) {
            left = 0;
            done(unreadable);
            return;
        }
        if (left == 0) {
            out.add(after);
        }
        Payload payload = new Payload.Bytes(out.toArray(ByteBuffer[]::new));
        boolean isAll = left == 0 && file == null;
        outbox.send(Piece.of(NOTHING, payload, isAll ? done : this));
    }

    private void add(List<ByteBuffer> out) throws IOException {
        if (file == null) {
            addMemory(out);
        } else {
            left -= file.read(out, left);
        }
    }

    /** As few packets as can hold it: a packet may be of several buffers. */
    private void addMemory(List<ByteBuffer> out) {
        int packets = (int) Math.min(PACKETS, (left + mostData - 1) / mostData);
        ByteBuffer heads = ByteBuffer.allocate(packets * ServerPackets.CHUNK_HEAD);
        for (int i = 0; i < packets; i++) {
            int size = (int) Math.min(mostData, left);
            int start = heads.position();
            ServerPackets.chunkHead(heads, size);
            out.add(heads.slice(start, ServerPackets.CHUNK_HEAD));
            addData(out, size);
            out.add(ZERO.duplicate());
            left -= size;
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
