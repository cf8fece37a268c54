package io.millrace.client.serial;

import io.millrace.client.ClientRequest;
import io.millrace.client.ResponseListener;

/** Creates the streams of a protocol for a {@link SerialClientSession}. */
@FunctionalInterface
public interface StreamFactory {

    /** Creates the stream of one request, which sends nothing yet. */
    SerialClientStream stream(SerialClientSession session, ClientRequest request, ResponseListener listener);
}
