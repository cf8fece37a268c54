package io.millrace.http1;

import io.millrace.http.ResponseHead;
import java.io.IOException;

/** A proxy has answered to CONNECT, but opens no tunnel. Has no stack trace, since it is about a peer. */
public final class ConnectRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Not kept by serialization. */
    private final transient ResponseHead response;

    ConnectRefusedException(ResponseHead response) {
        super("the proxy answered with status " + response.status());
        this.response = response;
    }

    /** The proxy's response. */
    public ResponseHead response() {
        return response;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
