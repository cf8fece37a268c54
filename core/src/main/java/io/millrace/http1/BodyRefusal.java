package io.millrace.http1;

import io.millrace.protocol.ProtocolException;

/** Makes the exception by which a handler learns that the body it reads is refused. */
final class BodyRefusal {

    private BodyRefusal() {}

    static ProtocolException of(Refusal why) {
        return new ProtocolException(
                why.violation().status(),
                "The request's body was refused: found " + why.violation().advice());
    }
}
