package io.millrace.client.serial;

import io.millrace.client.ClientRequest;
import io.millrace.client.ClientSession;
import io.millrace.client.ClientStream;
import io.millrace.client.ResponseListener;
import io.millrace.client.SessionListener;
import io.millrace.client.serial.ClientSessionState.Event;
import io.millrace.http.Method;
import io.millrace.io.AtomicField;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.protocol.serial.DisconnectWatch;
import io.millrace.protocol.serial.Input;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client connection that serves one request at a time ({@link ClientSessionState}), each by a {@link
 * SerialClientStream}. While idle, it holds no buffer and waits for input: it notices immediately when the server closes
 * it, and closes itself on unsolicited input, which would otherwise be taken for the response to the next request.
 */
public final class SerialClientSession implements ClientSession, ConnectionHandler {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", ClientSessionState.class);

    private final StreamFactory streams;
    private final Connection connection;
    private final SessionListener listener;
    private final Duration keepAliveTimeout;
    private final Input input;
    private volatile ClientSessionState state = ClientSessionState.IDLE;
    private volatile boolean draining;
    private volatile boolean kept;

    /** Written before BUSY, and before IDLE. */
    private @Nullable SerialClientStream stream;

    private @Nullable ConnectionInfo client;

    private SerialClientSession(
            Connection connection, SessionListener listener, Duration keepAliveTimeout, StreamFactory streams) {
        this.connection = connection;
        this.listener = listener;
        this.keepAliveTimeout = keepAliveTimeout;
        this.streams = streams;
        input = new Input(connection, new DisconnectWatch(connection, false), null);
    }

    /**
     * Starts a session on an established connection. Called by the connection's owner.
     *
     * @param keepAliveTimeout how long an idle connection is kept
     * @param streams creates the protocol's streams
     */
    public static SerialClientSession open(
            Connection connection, SessionListener listener, Duration keepAliveTimeout, StreamFactory streams) {
        SerialClientSession session = new SerialClientSession(connection, listener, keepAliveTimeout, streams);
        connection.install(session);
        connection.idleTimeout(keepAliveTimeout);
        connection.awaitReadable();
        return session;
    }

    /** The connection of this session. */
    public Connection connection() {
        return connection;
    }

    /** The connection's input, which belongs to the stream in progress. */
    public Input input() {
        return input;
    }

    // ---- called by clients

    @Override
    public @Nullable ClientStream start(ClientRequest request, ResponseListener response) {
        SerialClientStream next = streams.stream(this, request, response);
        if (next.refuse()) {
            listener.onIdle(this, request.client());
            return next;
        }
        stream = next;
        client = request.client();
        boolean checked = kept && mustNotFail(request);
        ClientSessionState from = move(checked ? Event.ASK : Event.START);
        if (from == null) {
            return null;
        }
        if (from == ClientSessionState.IDLE && !checked) {
            next.begin();
        } else if (from == ClientSessionState.IDLE) {
            checkIfWaiting();
        }
        return next;
    }

    /** Whether it could not be sent again if the server has closed this connection, of which the transport has not called yet. */
    private static boolean mustNotFail(ClientRequest request) {
        return request.hasBody() || !Method.isIdempotent(request.method());
    }

    /** Looks for the server's end on this thread; if the transport calls at this moment, it does that on its thread. */
    private void checkIfWaiting() {
        if (connection.takeBack()) {
            check();
        }
    }

    @Override
    public boolean isIdle() {
        ClientSessionState now = state;
        return now == ClientSessionState.IDLE || now == ClientSessionState.CHECKING;
    }

    @Override
    public boolean isKept() {
        return kept;
    }

    /** What is idle has sent everything; a request in progress is the last. */
    @Override
    public void retire() {
        draining = true;
        if (isIdle()) {
            connection.close(null);
        }
    }

    @Override
    public void close(@Nullable Throwable cause) {
        connection.close(cause);
    }

    @Override
    public ConnectionInfo info() {
        return connection.channel().info();
    }

    // ---- called by the stream

    /**
     * Called by the owner of the input when request and response are complete.
     *
     * @param persistent whether the connection can serve another request
     */
    public void whole(boolean persistent) {
        if (!persistent || draining || input.hasUnread()) {
            connection.close(null);
            return;
        }
        ConnectionInfo ended = client;
        stream = null;
        client = null;
        kept = true;
        connection.idleTimeout(keepAliveTimeout);
        if (move(Event.WHOLE) == ClientSessionState.BUSY) {
            connection.awaitReadable();
            listener.onIdle(this, ended);
        }
    }

    /** Called by the stream when the connection belongs to another handler. */
    public void left() {
        move(Event.CLOSE);
        listener.onClosed(this);
    }

    // ---- called by the connection

    @Override
    public void onReadable() {
        ClientSessionState from = move(Event.CALL);
        SerialClientStream current = stream;
        if (from == ClientSessionState.IDLE || from == ClientSessionState.WAITING) {
            check();
        } else if (from == ClientSessionState.BUSY && current != null) {
            current.onReadable();
        }
    }

    /** Reads what arrived, or did not, while no request was in progress. */
    private void check() {
        try {
            Chunk chunk = connection.read();
            if (chunk != null) {
                boolean end = chunk.isEnd();
                chunk.release();
                connection.close(
                        end ? null : new IOException("the server sent data although no request was in progress"));
            } else if (draining) {
                connection.close(null);
            } else {
                quiet();
            }
        } catch (IOException broken) {
            connection.close(broken);
        }
    }

    /** Nothing arrived that could be mistaken for the next response. */
    private void quiet() {
        ClientSessionState from = move(Event.QUIET);
        if (from == null || from == ClientSessionState.CLOSED) {
            return;
        }
        connection.awaitReadable();
        SerialClientStream waiting = stream;
        if (from == ClientSessionState.WAITING && waiting != null) {
            waiting.begin();
        } else if (state == ClientSessionState.WAITING) {
            checkIfWaiting(); // a request came before the connection waited
        }
    }

    @Override
    public void onIdle() {
        SerialClientStream current = stream;
        if (state == ClientSessionState.BUSY && current != null) {
            current.onIdle();
        } else {
            connection.close(null);
        }
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        ClientSessionState from = move(Event.CLOSE);
        input.close();
        try {
            SerialClientStream current = stream;
            if (from == ClientSessionState.BUSY && current != null) {
                current.closed(cause);
            } else if (from == ClientSessionState.WAITING && current != null) {
                current.closedUnsent(cause);
            }
        } finally {
            listener.onClosed(this);
        }
    }

    /** An idle session is called afterwards and closes itself; a request in progress continues. */
    @Override
    public void drain() {
        draining = true;
    }

    /** Returns the previous state; null if the event was rejected. */
    private @Nullable ClientSessionState move(Event event) {
        while (true) {
            ClientSessionState from = state;
            ClientSessionState to = ClientSessionState.next(from, event);
            if (to == null || STATE.compareAndSet(this, from, to)) {
                return to == null ? null : from;
            }
        }
    }
}
