package io.millrace.testkit;

import java.io.IOException;

/** The bytes below a {@link ContractClient}: a socket, or a connection in memory. */
public interface ContractLink {

    /** Sends bytes to the server. */
    void send(byte[] bytes) throws IOException;

    /** The next bytes from the server, at least one; empty at the end. Waits, but not for ever. */
    byte[] receive() throws IOException;

    /** Takes nothing until the next {@link #receive}. */
    void pause();

    /** Sends no more (half-close). */
    void finish() throws IOException;

    /** Goes away without a word. */
    void breakOff() throws IOException;

    /** Checks that the server holds no buffer now that nothing is going on. */
    void checkNothingHeld() throws Exception;
}
