package io.millrace.http1;

import io.millrace.client.ClientProtocol;
import io.millrace.client.ClientSession;
import io.millrace.client.SessionListener;
import io.millrace.client.serial.SerialClientSession;
import io.millrace.io.Connection;
import io.millrace.settings.Settings;
import java.time.Duration;

/**
 * HTTP/1.1 as a client (RFC 9112). As strict about responses as {@link Http1Protocol} is about requests: what can be read in two
 * ways is refused, and its connection closed. Any thread.
 */
public final class Http1Client implements ClientProtocol {

    private final Settings options;
    private final Duration responseTimeout;
    private final Duration keepAliveTimeout;

    /**
     * A client.
     *
     * @param options the limits of {@link Http1Options}: maxHttpResponseHeaderSize, maxHeaderCount, maxTrailerSize,
     *     maxExtensionSize
     * @param responseTimeout how long the server may send nothing, after the request and within its response; zero for ever
     * @param keepAliveTimeout how long an idle connection is kept; less than the server keeps it, or requests meet its end
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
