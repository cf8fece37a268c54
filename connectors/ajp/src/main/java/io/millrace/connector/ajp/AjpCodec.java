package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.PACKET_SIZE;

import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Payload;
import io.millrace.protocol.RefusedRequest;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.serial.Input;
import io.millrace.protocol.serial.SerialCodec;
import io.millrace.protocol.serial.SerialConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the packets between bodies on one AJP connection: requests and pings. */
final class AjpCodec implements SerialCodec {

    /** After these the connection is closed: the front end is not trusted, or the start of its next packet is unknown. */
    private static final Set<RequestFault> CLOSING = Set.of(
            RequestFault.NO_SECRET,
            RequestFault.WRONG_SECRET,
            RequestFault.FORBIDDEN_ATTRIBUTE,
            RequestFault.BAD_FIELD,
            RequestFault.DUPLICATE_LENGTH,
            RequestFault.BAD_LENGTH,
            RequestFault.HUGE_LENGTH,
            RequestFault.LENGTH_AND_CODING,
            RequestFault.TOO_MANY_FIELDS);

    private final AjpProtocol protocol;
    private final Packets packets;

    /** The body of a rejected request, which precedes the next packet. */
    private @Nullable AjpBody refused;

    AjpCodec(AjpProtocol protocol) {
        this.protocol = protocol;
        packets = new Packets(protocol.options().get(PACKET_SIZE));
    }

    @Override
    public Next next(SerialConnection connection) throws IOException {
        try {
            if (refused != null && !refused.skip()) {
                return Next.PART_OF_BODY;
            }
            refused = null;
            PacketFields packet = packets.next(connection.input());
            if (packet != null) {
                return accept(packet, connection);
            }
        } catch (BadPacketException bad) {
            throw protocol.malformed(bad, connection.transport());
        }
        if (connection.input().isEnded()) {
            return Next.LAST;
        }
        return packets.isBegun() ? Next.PART_OF_HEAD : Next.NOTHING;
    }

    private Next accept(PacketFields packet, SerialConnection connection) throws IOException {
        if (packet.isAtEnd()) {
            throw new BadPacketException(Defect.EMPTY);
        }
        int type = packet.octet();
        if (type == Codes.CPING && packet.isAtEnd()) {
            return answerPing(connection);
        }
        if (type != Codes.FORWARD_REQUEST) {
            throw new BadPacketException(Defect.TYPE);
        }
        ForwardRequest sent = ForwardRequest.read(packet, protocol.options(), protocol.rules());
        RequestCheck check = new RequestCheck(protocol.rules(), protocol.scheme());
        RequestFault refusal =
                check.check(sent, connection.transport().channel().info());
        long length = sent.request().announcedLength();
        AjpBody body = new AjpBody(connection.input(), protocol.options().get(PACKET_SIZE), length);
        return refusal == null
                ? connection.request(new AjpStream(connection, protocol, check.head(), check.info(), body))
                : refuse(refusal, sent, body, connection);
    }

    /** Without a reply while draining, the front end selects another server. */
    private static Next answerPing(SerialConnection connection) throws BadPacketException {
        if (connection.isDraining()) {
            return Next.LAST;
        }
        if (!connection.outbox().interject(ServerPackets.cpong())) {
            throw new BadPacketException(Defect.PING_FLOOD);
        }
        return Next.HANDLED;
    }

    private Next refuse(RequestFault why, ForwardRequest sent, AjpBody body, SerialConnection connection) {
        why.countIn(connection.transport().channel().limits());
        ConnectionInfo info = connection.transport().channel().info();
        RefusedRequest request = new RefusedRequest(why.status(), why.found(), sent.line(), info);
        connection.dispatcher().refused(request);
        request.log(() -> protocol.log().refused(why, info.remote()));
        boolean reuse = !CLOSING.contains(why) && !connection.isDraining();
        connection
                .outbox()
                .send(
                        Completion.IGNORE,
                        new Payload.Bytes(ServerPackets.refusal(why, request.fields()), ServerPackets.end(reuse)));
        refused = body;
        return reuse ? Next.HANDLED : Next.LAST;
    }

    @Override
    public @Nullable Duration timeLeft(Next what, Duration limit) {
        Duration left = packets.timeLeft(limit);
        return packets.isBegun() && (left.isNegative() || left.isZero()) ? null : left;
    }

    @Override
    public void headOverdue(SerialConnection connection) throws IOException {
        throw protocol.malformed(new BadPacketException(Defect.TOO_SLOW), connection.transport());
    }

    @Override
    public boolean isAllUsed() {
        return refused == null && !packets.isBegun();
    }

    /**
     * Reads the packets between bodies. An incomplete packet is kept until the rest arrives; otherwise no memory is held. Confined
     * to the connection's owner.
     */
    private static final class Packets {

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

        /**
         * Assembles a packet from input in pieces of any size. It exists only while a packet is incomplete, so that an idle connection
         * has none, and allocates memory only after it has read a valid length.
         */
        private static final class PacketReader {

            private final PacketPrefix prefix;
            private final long begun = System.nanoTime();
            private byte @Nullable [] payload;
            private int length;

            /**
             * A reader for one packet of a front end.
             *
             * @param packetSize the largest packet in octets, including the prefix
             */
            PacketReader(int packetSize) {
                prefix = new PacketPrefix(Codes.TO_SERVER, Defect.MAGIC, packetSize);
            }

            /** Reads more of the packet. Returns the payload once it is complete; null if all input was read before that. */
            byte @Nullable [] read(ByteBuffer in) throws BadPacketException {
                if (!prefix.read(in)) {
                    return null;
                }
                byte[] all = payload;
                if (all == null) {
                    all = new byte[prefix.length()];
                    payload = all;
                }
                int step = Math.min(in.remaining(), all.length - length);
                in.get(all, length, step);
                length += step;
                return length == all.length ? all : null;
            }

            /** Whether any of it has been read. */
            boolean isBegun() {
                return prefix.isBegun();
            }

            /** Nanoseconds since its first octets arrived. */
            long age() {
                return System.nanoTime() - begun;
            }
        }
    }
}
