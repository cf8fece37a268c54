package io.millrace.client.serial;

import io.millrace.client.ClientRequest;
import io.millrace.client.ResponseListener;

/** What a protocol adds to a {@link SerialClientSession}. */
@FunctionalInterface
public interface StreamFactory {

    /** The stream of one request; sends nothing yet. */
    SerialClientStream stream(SerialClientSession session, ClientRequest request, ResponseListener listener);
}
