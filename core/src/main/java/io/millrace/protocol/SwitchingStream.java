package io.millrace.protocol;

import io.millrace.http.ResponseHead;

/** A stream of a protocol that can leave its connection to another one: of HTTP/1.1. */
public interface SwitchingStream extends HttpStream {

    /**
     * Switches the whole connection to another protocol, which responds to this stream's request (RFC 9110, 7.8). Called instead of
     * dispatching the request. This stream then has no other use, and {@link #end} is not called.
     *
     * @param head with status 101 and an Upgrade field
     * @param next opens the other protocol
     * @return false, without any effect, if the request has a body, or the connection is not persistent
     */
    boolean switchTo(ResponseHead head, Successor next);
}
