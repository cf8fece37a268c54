package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.SECRET_REQUIRED;
import static io.millrace.protocol.ProtocolOptions.ENCODED_SOLIDUS_HANDLING;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static io.millrace.protocol.ProtocolOptions.URI_ENCODING;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.LogThrottle;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.RequestRules;
import io.millrace.protocol.serial.SerialConnection;
import io.millrace.protocol.serial.SerialTimes;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * AJP 1.3, the server's side: {@code Connector.builder().protocol(new AjpProtocol(options, "http"))}. A peer that can connect can
 * claim any client address, user and TLS session: listen on an address that only the front end can reach, and set a secret.
 * Thread-safe.
 */
public final class AjpProtocol implements Protocol {

    /** The timeout of an incomplete packet if there is no connectionTimeout: it occupies memory. */
    private static final Duration PACKET_TIMEOUT = Duration.ofSeconds(60);

    private final Settings options;
    private final String scheme;
    private final RequestRules rules;
    private final SerialTimes times;
    private final PacedLog log = new PacedLog();

    /**
     * Creates the protocol of a connector.
     *
     * @param options settings of {@link AjpOptions} and {@link io.millrace.protocol.ProtocolOptions}
     * @param scheme the scheme of requests, unless the front end reports TLS
     * @throws IllegalArgumentException if a secret is required and there is none
     */
    public AjpProtocol(Settings options, String scheme) {
        if (options.get(SECRET_REQUIRED) && AjpOptions.secret(options).isEmpty()) {
            throw new IllegalArgumentException(
                    "An AJP connector requires a secret, which each request must contain: set secret,"
                            + " or secretRequired to false if only the front end can reach the port.");
        }
        this.options = options;
        this.scheme = scheme;
        rules = new RequestRules(
                options.get(MAX_HEADER_COUNT),
                options.get(ENCODED_SOLIDUS_HANDLING),
                options.get(URI_ENCODING),
                true,
                true);
        times = SerialTimes.of(
                options, AjpOptions.connectionTimeout(options), AjpOptions.keepAliveTimeout(options), packetTimeout());
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

    Settings options() {
        return options;
    }

    /** The timeout of the rest of a packet. */
    Duration packetTimeout() {
        Duration limit = AjpOptions.connectionTimeout(options);
        return limit.isZero() ? PACKET_TIMEOUT : limit;
    }

    /** Logs a malformed packet and closes its connection. Returns the exception to throw. */
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

    /** Logs at most one message of each kind a minute, so that an attacker cannot fill the disk. Thread-safe. */
    static final class PacedLog {

        private final LogThrottle<Defect> defects = new LogThrottle<>(Defect.class);
        private final LogThrottle<RequestFault> refusals = new LogThrottle<>(RequestFault.class);
        private final LogThrottle<Other> others = new LogThrottle<>(Other.class);

        private enum Other {
            HEAD,
            UPGRADE
        }

        void malformed(Defect kind, Object peer) {
            if (defects.isDue(kind)) {
                AjpLog.LOG.malformed(peer, kind.found());
            }
        }

        void refused(RequestFault kind, Object peer) {
            if (refusals.isDue(kind)) {
                AjpLog.LOG.refused(peer, kind.status(), kind.advice());
            }
        }

        void headTooLarge(int size, int limit) {
            if (others.isDue(Other.HEAD)) {
                AjpLog.LOG.headTooLarge(size, limit);
            }
        }

        /** @param path a valid path, which has no control characters */
        void upgradeRefused(String path) {
            if (others.isDue(Other.UPGRADE)) {
                AjpLog.LOG.upgradeRefused(path);
            }
        }
    }
}
