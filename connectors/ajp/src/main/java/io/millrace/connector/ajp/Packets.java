package io.millrace.connector.ajp;

import io.millrace.io.Chunk;
import io.millrace.protocol.serial.Input;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads the packets between bodies. An incomplete packet is kept until the rest arrives; otherwise no memory is held. Confined
 * to the connection's owner.
 */
final class Packets {

    private final int packetSize;
    private @Nullable PacketReader reader;

    Packets(int packetSize) {
        this.packetSize = packetSize;
    }

    /** The next packet; null if it is not complete, or the input has ended. */
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

    /** Whether a packet is incomplete. */
    boolean isBegun() {
        return reader != null;
    }

    /** The rest of the time limit for a packet that has begun. */
    Duration timeLeft(Duration limit) {
        return reader == null ? limit : limit.minusNanos(reader.age());
    }

    private byte @Nullable [] take(Chunk chunk, Input input) throws BadPacketException {
        PacketReader current = reader == null ? new PacketReader(packetSize) : reader;
        byte[] payload;
        try {
            payload = current.read(chunk.bytes());
        } catch (BadPacketException bad) {
            chunk.release();
            throw bad;
        }
        reader = current.isBegun() ? current : null;
        input.keep(chunk);
        return payload;
    }
}
