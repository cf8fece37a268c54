package io.millrace.io.socket;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Takes those in who stand at an entrance. For the acceptor's thread.
 *
 * @param entrance where they stand
 * @param gate counts them
 * @param onAccept gets each
 * @param <S> the sockets
 */
record Reception<S extends Closeable>(Entrance<S> entrance, AcceptGate gate, Consumer<? super S> onAccept) {

    /** Takes in so many; how many there were. */
    int admit(int most) {
        int count = 0;
        while (count < most && gate.isOpen() && admitOne()) {
            count++;
        }
        return count;
    }

    /** False if there is nobody. */
    private boolean admitOne() {
        S socket = null;
        boolean handedOver = false;
        try {
            socket = entrance.accept();
            if (socket == null) {
                return false;
            }
            gate.enter();
            entrance.configure(socket);
            onAccept.accept(socket);
            handedOver = true;
        } catch (Throwable failed) { // not even an error may end this thread, which nobody would notice
            if (socket == null || !(failed instanceof IOException)) {
                gate.failed(failed);
            } // else the peer has gone already
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
