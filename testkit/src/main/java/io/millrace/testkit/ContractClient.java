package io.millrace.testkit;

import java.util.List;

/**
 * The client's end of one connection, speaking the protocol under test. Requests may be sent one after the other before
 * their responses are received, which come in the same order.
 */
public interface ContractClient {

    /** What its bytes go by. */
    ContractLink link();

    /** Sends a request whole; or all but the body, if it waits for leave to send that. */
    void send(ContractRequest request) throws Exception;

    /** Sends requests whole and at once, so that the server finds them together. */
    void sendAll(List<ContractRequest> requests) throws Exception;

    /** Sends the body of the last request, which waited for leave. */
    void sendBody(ContractRequest request) throws Exception;

    /** The response to the oldest request not answered; waits for it, but not for ever. */
    ContractResponse receive() throws Exception;

    /** Waits for an interim response to the oldest request not answered; its status. */
    int receiveInterim() throws Exception;

    /** Takes no bytes until the next {@link #receive}, if that can be told the other side. */
    default void pause() {
        link().pause();
    }

    /** No more requests (half-close). */
    default void finish() throws Exception {
        link().finish();
    }

    /** Goes away without a word. */
    default void breakOff() throws Exception {
        link().breakOff();
    }

    /** Is the connection ended by the server, after all that was received? Waits for it, but not for ever. */
    boolean awaitEnd() throws Exception;

    /** Checks that the server holds no buffer now that nothing is going on. */
    default void checkNothingHeld() throws Exception {
        link().checkNothingHeld();
    }
}
