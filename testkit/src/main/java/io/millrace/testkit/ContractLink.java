package io.millrace.testkit;

import java.io.IOException;

/** The bytes below a {@link ContractClient}: a socket or an in-memory connection. */
public interface ContractLink {

    /** Sends bytes to the server. */
    void send(byte[] bytes) throws IOException;

    /** The next bytes from the server, at least one; empty at the end. Waits with a deadline. */
    byte[] receive() throws IOException;

    /** Receives nothing until the next {@link #receive}. */
    void pause();

    /** Ends the output (half-close). */
    void finish() throws IOException;

    /** Disconnects abruptly. */
    void breakOff() throws IOException;

    /** Checks that the server holds no buffer while the connection is idle. */
    void checkNothingHeld() throws Exception;
}
