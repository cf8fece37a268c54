package io.millrace.connector.ajp;

import io.millrace.io.Chunk;
import io.millrace.protocol.serial.Input;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The packets that come between bodies, one after the other. A part of one is kept until the rest comes; otherwise this
 * holds nothing. By the connection's owner.
 */
final class Packets {

    private final int packetSize;
    private @Nullable PacketReader reader;

    Packets(int packetSize) {
        this.packetSize = packetSize;
    }

    /** The next one; null if it is not whole yet, or if there will be none. */
    @Nullable
    PacketFields next(Input input) throws IOException {
        for (Chunk chunk = input.next(); chunk != null && !chunk.isEnd(); chunk = input.next()) {
            byte[] payload = take(chunk, input);
            if (payload != null) {
                reader = null;
                return new PacketFields(payload);
            }
        }
        return null;
    }

    /** Has a part of one come? */
    boolean isBegun() {
        return reader != null;
    }

    /** How long the rest of what has begun may still take, of so much for all of it. */
    Duration timeLeft(Duration limit) {
        return reader == null ? limit : limit.minusNanos(reader.age());
    }

    private byte @Nullable [] take(Chunk chunk, Input input) throws BadPacketException {
        PacketReader mine = reader == null ? new PacketReader(packetSize) : reader;
        byte[] payload;
        try {
            payload = mine.read(chunk.bytes());
        } catch (BadPacketException bad) {
            chunk.release();
            throw bad;
        }
        reader = mine.isBegun() ? mine : null;
        input.keep(chunk);
        return payload;
    }
}
