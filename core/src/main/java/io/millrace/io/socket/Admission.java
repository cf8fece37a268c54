package io.millrace.io.socket;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Accepts sockets from a source, configures them and hands them over. Confined to the acceptor's thread.
 *
 * @param source where they come from
 * @param gate counts them, and limits their number
 * @param onAccept gets each
 * @param <S> the sockets
 */
record Admission<S extends Closeable>(AcceptSource<S> source, AcceptGate gate, Consumer<? super S> onAccept) {

    /** Accepts at most so many; returns how many it were. */
    int admit(int most) {
        int count = 0;
        while (count < most && gate.isOpen() && admitOne()) {
            count++;
        }
        return count;
    }

    /** False if no connection is waiting. */
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
        } catch (Throwable failed) { // an Error must not end the acceptor silently
            if (socket == null || !(failed instanceof IOException)) {
                gate.failed(failed);
            } // else the peer has disconnected already
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
            // closed all the same
        }
    }
}
