package io.millrace.connector.ajp;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.RequestRules;
import io.millrace.protocol.serial.SerialConnection;
import io.millrace.protocol.serial.SerialTimes;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * AJP 1.3, the server's side: {@code Connector.builder().protocol(new AjpProtocol(options, "http"))}. Whoever may send
 * packets may say that he is anybody: listen where only the front end can connect, and have a secret.
 */
public final class AjpProtocol implements Protocol {

    /** For the rest of a packet where nothing else limits it: what has begun holds memory. */
    private static final Duration PACKET_TIMEOUT = Duration.ofSeconds(60);

    private final AjpOptions options;
    private final String scheme;
    private final RequestRules rules;
    private final SerialTimes times;
    private final PacedLog log = new PacedLog();

    /**
     * The protocol of one connector.
     *
     * @param options whom it believes, and its limits
     * @param scheme what requests are said to have come by unless the front end says that it was TLS
     */
    public AjpProtocol(AjpOptions options, String scheme) {
        this.options = options;
        this.scheme = scheme;
        rules = new RequestRules(
                options.maxHeaderCount(), options.encodedSolidusHandling(), options.pathCharset(), true, true);
        times = new SerialTimes(options.connectionTimeout(), options.keepAliveTimeout(), packetTimeout());
    }

    @Override
    public String id() {
        return "ajp/1.3";
    }

    @Override
    public Match match(ByteBuffer prefix) {
        for (int i = 0; i < 2; i++) {
            if (i == prefix.remaining()) {
                return Match.NEED_MORE;
            }
            int expected = Codes.TO_SERVER >> 8 * (1 - i) & 0xff;
            if (prefix.get(prefix.position() + i) != expected) {
                return Match.NO;
            }
        }
        return Match.YES;
    }

    @Override
    public ConnectionHandler open(Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
        return new SerialConnection(connection, unread, dispatcher, new AjpCodec(this), times, false);
    }

    AjpOptions options() {
        return options;
    }

    /** How long the rest of a packet may take. */
    Duration packetTimeout() {
        Duration limit = options.connectionTimeout();
        return limit.isZero() ? PACKET_TIMEOUT : limit;
    }

    /** A packet is none: writes the one line about it, and closes its connection. Returns what then to throw. */
    BadPacketException malformed(BadPacketException bad, Connection connection) {
        log.malformed(bad.defect(), connection.channel().info().remote());
        connection.close(bad);
        return bad;
    }

    RequestRules rules() {
        return rules;
    }

    String scheme() {
        return scheme;
    }

    PacedLog log() {
        return log;
    }
}
