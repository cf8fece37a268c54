package io.millrace.io.socket;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Accepts sockets from a source, configures them and passes them on. Confined to the acceptor's thread.
 *
 * @param source the listening socket
 * @param gate counts the connections and limits their number
 * @param onAccept receives each socket
 * @param <S> the type of sockets
 */
record Admission<S extends Closeable>(AcceptSource<S> source, AcceptGate gate, Consumer<? super S> onAccept) {

    /** Accepts at most this many connections; returns their number. */
    int admit(int most) {
        int count = 0;
        while (count < most && gate.isOpen() && admitOne()) {
            count++;
        }
        return count;
    }

    /** False if no connection is pending. */
    private boolean admitOne() {
        S socket = null;
        boolean handedOver = false;
        try {
            socket = source.accept();
            if (socket == null) {
                return false;
            }
            gate.enter();
            source.configure(socket);
            onAccept.accept(socket);
            handedOver = true;
        } catch (Throwable failed) { // an error must not end the acceptor silently
            if (socket == null || !(failed instanceof IOException)) {
                gate.failed(failed);
            } // otherwise the peer has already disconnected
        } finally {
            if (socket != null && !handedOver) {
                gate.giveBack();
                discard(socket);
            }
        }
        return true;
    }

    private void discard(S socket) {
        try {
            socket.close();
        } catch (IOException broken) {
            // it is closed nevertheless
        }
    }
}
