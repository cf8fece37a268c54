package io.millrace.forwarded;

import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;

/** A request as it was when a front end received it, and the connection it came by there. */
public record RelayedRequest(RequestHead head, ConnectionInfo connection) {}
