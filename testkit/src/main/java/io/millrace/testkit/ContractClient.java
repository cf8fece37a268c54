package io.millrace.testkit;

import java.util.List;

/**
 * The client side of a connection with the protocol under test. Requests may be sent before earlier responses have been
 * received; responses come in the same order.
 */
public interface ContractClient {

    /** The link that carries its bytes. */
    ContractLink link();

    /** Sends a complete request; without the body if the request waits for a 100 response. */
    void send(ContractRequest request) throws Exception;

    /** Sends complete requests at once, so that the server reads them together. */
    void sendAll(List<ContractRequest> requests) throws Exception;

    /** The first bytes of a request. */
    byte[] beginOfRequest();

    /** Sends the body of the last request, after the 100 response. */
    void sendBody(ContractRequest request) throws Exception;

    /** The response to the oldest request not answered; waits for it, but not for ever. */
    ContractResponse receive() throws Exception;

    /** Waits for an interim response to the oldest request not answered; its status. */
    int receiveInterim() throws Exception;

    /** Receives nothing until the next {@link #receive}, if the protocol can tell the peer. */
    default void pause() {
        link().pause();
    }

    /** Ends the output (half-close). */
    default void finish() throws Exception {
        link().finish();
    }

    /** Disconnects abruptly. */
    default void breakOff() throws Exception {
        link().breakOff();
    }

    /** Whether the server ends the connection, after everything that was received. Waits with a deadline. */
    boolean awaitEnd() throws Exception;

    /** Checks that the server holds no buffer while the connection is idle. */
    default void checkNothingHeld() throws Exception {
        link().checkNothingHeld();
    }
}
