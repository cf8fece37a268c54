package io.millrace.http1;

import io.millrace.protocol.ProtocolException;

/** Creates the exception for a handler that reads an invalid body. */
final class BodyRefusal {

    private BodyRefusal() {}

    static ProtocolException of(Refusal why) {
        return new ProtocolException(
                why.violation().status(),
                "The request's body was rejected: found " + why.violation().advice());
    }
}
