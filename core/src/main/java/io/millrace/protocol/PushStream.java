package io.millrace.protocol;

import io.millrace.http.Headers;

/**
 * A stream of a protocol with server push (RFC 9113, 8.4): it can be sent the responses to requests that the client has not sent. Each
 * is handled as an exchange of its own, on a worker, with the client's addresses and TLS session.
 */
public interface PushStream {

    /** Whether {@link #push} is possible now. False if the operator or the client does not allow it. */
    boolean canPush();

    /**
     * Pushes the response to a request that the client has not sent, and dispatches that request. To be called before sending the
     * piece of this response that would make the client send it.
     *
     * @param method GET or HEAD
     * @param target path and query
     * @param headers the fields of the request, without Host, which is that of this request. Authorization is passed to the handler,
     *     but not sent to the client
     * @return false, without any effect, if push is not allowed or a limit of the client or the server is reached
     */
    boolean push(String method, String target, Headers headers);
}
