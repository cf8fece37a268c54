package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.PACKET_SIZE;
import static io.millrace.connector.ajp.AjpOptions.SECRET_REQUIRED;

import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientSession;
import io.millrace.client.SessionListener;
import io.millrace.client.serial.SerialClientSession;
import io.millrace.io.Connection;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * AJP 1.3, the client's side: requests of a web server or proxy to a servlet container. Malformed packets close the connection,
 * as in {@link AjpProtocol}. Thread-safe.
 */
public final class AjpClient implements ClientProtocol {

    private final Settings options;
    private final Duration responseTimeout;
    private final Duration keepAliveTimeout;
    private final LongSupplier clock;

    /**
     * Creates a client.
     *
     * @param options settings of {@link AjpClientOptions}
     * @param responseTimeout how long the server may send nothing, after the request and within its response; zero: no timeout
     * @param keepAliveTimeout how long an idle connection is kept; must be shorter than the server's keep-alive timeout
     * @throws IllegalArgumentException if a secret is required and there is none
     */
    public AjpClient(Settings options, Duration responseTimeout, Duration keepAliveTimeout) {
        this(options, responseTimeout, keepAliveTimeout, System::nanoTime);
    }

    /** @param clock as {@link System#nanoTime} */
    AjpClient(Settings options, Duration responseTimeout, Duration keepAliveTimeout, LongSupplier clock) {
        if (options.get(SECRET_REQUIRED) && AjpOptions.secret(options).isEmpty()) {
            throw new IllegalArgumentException(
                    "no secret: AJP requests must contain the secret of the server's AJP connector;"
                            + " set secret, or secretRequired to false if the connector has secretRequired=\"false\"");
        }
        this.options = options;
        this.responseTimeout = responseTimeout;
        this.keepAliveTimeout = keepAliveTimeout;
        this.clock = clock;
    }

    @Override
    public ClientSession open(Connection connection, SessionListener listener) {
        LastUse lastUse = new LastUse(clock);
        return SerialClientSession.open(
                connection,
                listener,
                keepAliveTimeout,
                (session, request, response) -> new AjpClientStream(this, lastUse, session, request, response));
    }

    Settings options() {
        return options;
    }

    int packetSize() {
        return options.get(PACKET_SIZE);
    }

    Duration responseTimeout() {
        return responseTimeout;
    }

    Duration pingTimeout() {
        return options.get(AjpClientOptions.PING_TIMEOUT);
    }
}
