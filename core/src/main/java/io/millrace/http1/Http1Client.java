package io.millrace.http1;

import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientSession;
import io.millrace.client.SessionListener;
import io.millrace.client.serial.SerialClientSession;
import io.millrace.io.Connection;
import io.millrace.settings.Settings;
import java.time.Duration;

/**
 * The client side of HTTP/1.1 (RFC 9112). Responses are validated as strictly as {@link Http1Protocol} validates
 * requests: an ambiguous one is rejected, and its connection closed. Thread-safe.
 */
public final class Http1Client implements ClientProtocol {

    private final Settings options;
    private final Duration responseTimeout;
    private final Duration keepAliveTimeout;

    /**
     * A client.
     *
     * @param options the limits in {@link Http1Options} and {@link io.millrace.protocol.HttpOptions}:
     *     maxHttpResponseHeaderSize, maxHeaderCount, maxTrailerSize, maxExtensionSize
     * @param responseTimeout how long the server may send nothing, after the request and within its response; zero for
     *     no limit
     * @param keepAliveTimeout how long an idle connection is kept; should be less than the server's timeout
     */
    public Http1Client(Settings options, Duration responseTimeout, Duration keepAliveTimeout) {
        this.options = options;
        this.responseTimeout = responseTimeout;
        this.keepAliveTimeout = keepAliveTimeout;
    }

    @Override
    public ClientSession open(Connection connection, SessionListener listener) {
        return SerialClientSession.open(
                connection,
                listener,
                keepAliveTimeout,
                (session, request, response) -> new Http1ClientStream(this, session, request, response));
    }

    Settings options() {
        return options;
    }

    Duration responseTimeout() {
        return responseTimeout;
    }
}
