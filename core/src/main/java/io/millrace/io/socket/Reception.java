package io.millrace.io.socket;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes those in who stand at an entrance, each with a place behind the gate. For the acceptor's thread.
 *
 * @param entrance where they stand
 * @param gate counts them
 * @param onAccept gets each
 * @param <S> the sockets
 */
record Reception<S extends Closeable>(Entrance<S> entrance, AcceptGate gate, Consumer<? super S> onAccept) {

    /** Takes in so many. True if there may be more. */
    boolean admit(int most) throws IOException {
        for (int i = 0; i < most; i++) {
            if (!gate.enter() || !admitOne()) {
                return false;
            }
        }
        return true;
    }

    /** False if there is nobody. */
    private boolean admitOne() throws IOException {
        S socket = null;
        boolean handedOver = false;
        try {
            socket = entrance.accept();
            if (socket == null) {
                return false;
            }
            gate.succeeded();
            entrance.configure(socket);
            onAccept.accept(socket);
            handedOver = true;
        } catch (Throwable failed) { // not even an error may end this thread, which nobody would notice
            if (socket == null || !(failed instanceof IOException)) {
                gate.failed(failed);
            } // else the peer has gone already
        } finally {
            if (!handedOver) {
                discard(socket);
            }
        }
        return true;
    }

    private void discard(@Nullable S socket) throws IOException {
        gate.giveBack();
        if (socket != null) {
            socket.close();
        }
    }
}
