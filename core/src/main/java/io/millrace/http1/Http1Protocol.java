package io.millrace.http1;

import static io.millrace.protocol.HttpOptions.ALLOW_HALF_CLOSE;
import static io.millrace.protocol.HttpOptions.SERVER;
import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Timers;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.FlushGuard;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.protocol.serial.SerialConnection;
import io.millrace.protocol.serial.SerialTimes;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 and HTTP/1.0 (RFC 9110, RFC 9112), with strict parsing. One instance per connector. */
public final class Http1Protocol implements Protocol {

    /** The ALPN id (RFC 7301, 6). */
    public static final String ID = "http/1.1";

    private final Http1Rules rules;
    private final Answers answers;
    private final RefusalLog log = new RefusalLog();
    private final SerialTimes times;
    private @Nullable volatile FlushGuard guard;

    /**
     * The protocol of one connector.
     *
     * @param options the settings
     * @param scheme {@code http} or {@code https}: the scheme of requests that do not specify one
     */
    public Http1Protocol(Settings options, String scheme) {
        rules = new Http1Rules(options, scheme);
        answers = new Answers(rules.date(), options.get(SERVER));
        times = SerialTimes.of(
                options,
                options.get(CONNECTION_TIMEOUT),
                ProtocolOptions.keepAliveTimeout(options),
                options.get(CONNECTION_TIMEOUT));
    }

    @Override
    public String id() {
        return ID;
    }

    /** Any method is possible, so a connection that begins like a token may be HTTP/1.1; an empty line may come first. */
    @Override
    public Match match(ByteBuffer prefix) {
        if (!prefix.hasRemaining()) {
            return Match.NEED_MORE;
        }
        byte first = prefix.get(prefix.position());
        boolean possible = first == Octets.CR || Octets.TOKEN_LOWER[first & 0xff] != 0;
        return possible ? Match.YES : Match.NO;
    }

    @Override
    public ConnectionHandler open(Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
        return new SerialConnection(
                connection,
                unread,
                dispatcher,
                new Http1Codec(this),
                times,
                options().get(ALLOW_HALF_CLOSE));
    }

    Http1Rules rules() {
        return rules;
    }

    Settings options() {
        return rules.options();
    }

    Answers answers() {
        return answers;
    }

    RefusalLog log() {
        return log;
    }

    /** Flushes pipelined responses that were buffered; shared by the connections of one server, which has these timers. */
    FlushGuard guard(Timers timers) {
        FlushGuard known = guard;
        if (known == null || !known.isOf(timers)) {
            known = new FlushGuard(timers);
            guard = known;
        }
        return known;
    }
}
