package io.millrace.http1;

import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.settings.Settings;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Sends the head of a request without a body on a connection of its own, and reads the head of the final response. Interim
 * responses are skipped, except 101, which is final (RFC 9110, 15.2).
 *
 * <p><b>Threads.</b> Started by the connection's owner; everything else runs on the connection's threads. There is no
 * timeout: the caller closes the connection if the response takes too long.
 */
final class HeadExchange implements ConnectionHandler {

    /** The maximum number of interim responses; more are an attack. */
    private static final int MAX_INTERIM = 16;

    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int FIRST_FINAL = 200;

    /** Receives the outcome: exactly one call, which must not block. */
    interface Listener {

        /**
         * The response.
         *
         * @param unread bytes that followed the head in the same chunk, owned by the listener; null if there are none
         */
        void onHead(ResponseHead response, @Nullable Chunk unread);

        /** There is no response, or a malformed one; the connection is closed. */
        void onFailed(IOException failure);
    }

    private final Connection connection;
    private final Listener listener;
    private final ResponseHeadParser parser = new ResponseHeadParser(Settings.DEFAULTS);
    private int interim;
    /** Set by the thread that calls the listener: the reader, or the one that closes the connection. */
    private final AtomicBoolean over = new AtomicBoolean();

    private HeadExchange(Connection connection, Listener listener) {
        this.connection = connection;
        this.listener = listener;
    }

    /**
     * Sends the request.
     *
     * @param target the target, as sent
     * @param fields all header fields, including Host
     * @throws IllegalArgumentException if the target or a field cannot be sent in HTTP/1.1
     */
    static void begin(Connection connection, String method, String target, Headers fields, Listener listener) {
        byte[] request = Octets.ascii(encode(method, target, fields));
        HeadExchange exchange = new HeadExchange(connection, listener);
        connection.install(exchange);
        connection.write(Payload.of(ByteBuffer.wrap(request)), failure -> {}); // a failure closes the connection
        exchange.onReadable();
    }

    private static String encode(String method, String target, Headers fields) {
        if (target.isEmpty() || target.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            throw new IllegalArgumentException("the request's target must consist of visible ASCII characters");
        }
        StringBuilder head =
                new StringBuilder(method).append(' ').append(target).append(" HTTP/1.1\r\n");
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i);
            String value = fields.value(i);
            if (!FieldSyntax.isToken(name) || !FieldSyntax.isValue(value)) {
                throw new IllegalArgumentException(
                        "the header field " + name + " cannot be sent: its name must be a token,"
                                + " and its value must not contain control characters (RFC 9110, 5)");
            }
            head.append(name).append(": ").append(value).append("\r\n");
        }
        return head.append("\r\n").toString();
    }

    @Override
    public void onReadable() {
        try {
            read();
        } catch (IOException broken) {
            fail(broken);
        }
    }

    private void read() throws IOException {
        while (!over.get()) {
            Chunk chunk = connection.read();
            if (chunk == null) {
                connection.awaitReadable();
                return;
            }
            if (chunk.isEnd()) {
                throw new EOFException("the server closed the connection without a response");
            }
            take(chunk);
        }
    }

    /** Releases the chunk before the call of the listener, unless bytes follow the head in it. */
    private void take(Chunk chunk) throws IOException {
        ResponseHead head = null;
        boolean kept = false;
        try {
            head = parse(chunk.bytes());
            kept = head != null && chunk.bytes().hasRemaining() && over.compareAndSet(false, true);
        } finally {
            if (!kept) {
                chunk.release();
            }
        }
        if (head != null && (kept || over.compareAndSet(false, true))) {
            listener.onHead(head, kept ? chunk : null);
        }
    }

    /** The final head; null if it is incomplete. */
    private @Nullable ResponseHead parse(ByteBuffer bytes) throws IOException {
        Parsing progress = parser.parse(bytes);
        while (progress == Parsing.COMPLETE) {
            ResponseHead head = parser.head();
            if (head.status() >= FIRST_FINAL || head.status() == SWITCHING_PROTOCOLS) {
                return head;
            }
            if (++interim > MAX_INTERIM) {
                throw new ProtocolException("the server sent more than " + MAX_INTERIM + " interim responses");
            }
            parser.next();
            progress = parser.parse(bytes);
        }
        if (progress == Parsing.REFUSED) {
            throw new ProtocolException("the server's response is not HTTP/1.1, malformed, or too large");
        }
        return null;
    }

    private void fail(IOException failure) {
        if (over.compareAndSet(false, true)) {
            connection.close(failure);
            listener.onFailed(failure);
        }
    }

    /** Called only if the caller has set an idle timeout. */
    @Override
    public void onIdle() {
        fail(new EOFException("the server sent no response in time"));
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        if (over.compareAndSet(false, true)) {
            listener.onFailed(
                    cause instanceof IOException known
                            ? known
                            : new IOException("the connection was closed before a response was received", cause));
        }
    }

    /** Does nothing: the exchange is short, and may be completed. */
    @Override
    public void drain() {}
}
