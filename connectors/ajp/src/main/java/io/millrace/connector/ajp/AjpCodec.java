package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.PACKET_SIZE;

import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.RefusedRequest;
import io.millrace.protocol.serial.SerialCodec;
import io.millrace.protocol.serial.SerialConnection;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads the packets between bodies on one AJP connection: requests and pings. */
final class AjpCodec implements SerialCodec {

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
        AjpRefusal refusal = check.check(sent, connection.transport().channel().info());
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

    private Next refuse(AjpRefusal why, ForwardRequest sent, AjpBody body, SerialConnection connection) {
        protocol.log().refused(why, connection.transport().channel().info().remote());
        connection
                .dispatcher()
                .refused(new RefusedRequest(
                        why.status(),
                        why.found(),
                        sent.line(),
                        connection.transport().channel().info()));
        boolean reuse = !why.isClosing() && !connection.isDraining();
        connection
                .outbox()
                .send(Completion.IGNORE, new Payload.Bytes(ServerPackets.refusal(why), ServerPackets.end(reuse)));
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
}
