package io.millrace.testkit;

import io.millrace.io.Connection;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A client's link to a protocol on an in-memory connection. The server runs inside the calls, on the same thread. */
public final class ScriptedLink implements ContractLink {

    /** An idle timeout that has passed whenever the client receives. */
    private static final Duration PASSED = Duration.ofMillis(1);

    private final ScriptedConnection connection = new ScriptedConnection();
    private int received;

    /** Opens the protocol on a new connection, wrapped in layers such as {@link DripConnection}. */
    public ScriptedLink(Protocol protocol, Dispatcher dispatcher, UnaryOperator<Connection> layers) {
        connection.run(() -> {
            Connection top = layers.apply(connection);
            var handler = protocol.open(top, null, dispatcher);
            top.install(handler);
            handler.onReadable();
        });
    }

    private ScriptedLink(Consumer<Connection> onAccept) {
        connection.run(() -> onAccept.accept(connection));
    }

    /** A new connection, accepted as by a transport. */
    public static ScriptedLink open(Consumer<Connection> onAccept) {
        return new ScriptedLink(onAccept);
    }

    /** The connection below all layers. */
    public ScriptedConnection connection() {
        return connection;
    }

    @Override
    public void send(byte[] bytes) {
        connection.receive(bytes);
    }

    @Override
    public byte[] receive() {
        connection.unhold();
        if (connection.timeout().equals(PASSED)) {
            connection.idle();
        }
        byte[] all = connection.sentBytes();
        if (received == all.length && !connection.isFinished()) {
            throw new AssertionError("both the server and the client wait for input");
        }
        byte[] more = java.util.Arrays.copyOfRange(all, received, all.length);
        received = all.length;
        return more;
    }

    @Override
    public void pause() {
        connection.hold();
    }

    @Override
    public void finish() {
        connection.receiveEnd();
    }

    @Override
    public void breakOff() {
        connection.breakOff();
    }

    @Override
    public void checkNothingHeld() {
        if (connection.channel().buffers().outstanding() != 0) {
            throw new AssertionError(
                    connection.channel().buffers().outstanding() + " chunks are held while nothing is going on");
        }
    }
}
