package io.millrace.forwarded;

import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;

/** A request as the front end received it, and the connection on which the front end received it. */
public record RelayedRequest(RequestHead head, ConnectionInfo connection) {}
