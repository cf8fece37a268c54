package io.millrace.http1;

import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.settings.Settings;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server for another protocol (RFC 9110, 7.8), as a client: sends one GET, reads the head of the response, and hands the
 * connection over if its status is 101. Interim responses before that are passed over. Otherwise the connection is closed: it
 * serves this one purpose.
 *
 * <p><b>Threads.</b> Begun by the connection's owner; what follows runs on its threads. No time limit of its own: whoever began it
 * closes the connection when it takes too long.
 */
public final class UpgradeRequest implements ConnectionHandler {

    /** More interim responses than any server has reason for. */
    private static final int MOST_INTERIM = 16;

    private static final int SWITCHING_PROTOCOLS = 101;

    /** Learns how it ended: one call, once; must not block. */
    public interface Listener {

        /**
         * The server agrees. The listener checks the head, then takes the connection or closes it.
         *
         * @param response with status 101
         */
        void onUpgraded(ResponseHead response, Upgraded connection);

        /** The server answered otherwise; the connection is closed. */
        void onRefused(ResponseHead response);

        /** There is no response, or a malformed one; the connection is closed. */
        void onFailed(IOException failure);
    }

    /** A connection whose peer has switched protocols. */
    public interface Upgraded {

        /**
         * Takes it: its bytes are the stream's from now on.
         *
         * @param idleTimeout how long neither direction may move; zero for ever
         * @param next gets the stream
         */
        void take(Duration idleTimeout, Consumer<HttpStream> next);

        /** Closes it instead. */
        void close();
    }

    private final Connection connection;
    private final Listener listener;
    private final ResponseHeadParser parser = new ResponseHeadParser(Settings.DEFAULTS);
    private int interim;
    /** Set by whoever tells the listener: the reader, or the thread that closes the connection. */
    private final AtomicBoolean over = new AtomicBoolean();

    private UpgradeRequest(Connection connection, Listener listener) {
        this.connection = connection;
        this.listener = listener;
    }

    /**
     * Sends the request.
     *
     * @param target path and query, as they are to be sent
     * @param fields of the request, Host, Connection and Upgrade included
     * @throws IllegalArgumentException if the target or a field can't be sent in HTTP/1.1
     */
    public static void send(Connection connection, String target, Headers fields, Listener listener) {
        byte[] request = Octets.ascii(encode(target, fields));
        UpgradeRequest upgrade = new UpgradeRequest(connection, listener);
        connection.install(upgrade);
        connection.write(Payload.of(ByteBuffer.wrap(request)), failure -> {}); // one that fails closes the connection
        upgrade.onReadable();
    }

    private static String encode(String target, Headers fields) {
        if (!target.startsWith("/") || target.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
            throw new IllegalArgumentException(
                    "the request's target must begin with / and be of visible ASCII characters");
        }
        StringBuilder head = new StringBuilder("GET ").append(target).append(" HTTP/1.1\r\n");
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i);
            String value = fields.value(i);
            if (!FieldSyntax.isToken(name) || !FieldSyntax.isValue(value)) {
                throw new IllegalArgumentException(
                        "the header field " + name + " can't be sent: its name must be a token,"
                                + " its value without control characters (RFC 9110, 5)");
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

    /** The chunk is released, unless what follows the head is in it. */
    private void take(Chunk chunk) throws IOException {
        boolean kept = false;
        try {
            Parsing progress = parser.parse(chunk.bytes());
            while (progress == Parsing.COMPLETE) {
                ResponseHead head = parser.head();
                if (head.status() >= 200 || head.status() == SWITCHING_PROTOCOLS) {
                    if (over.compareAndSet(false, true)) {
                        kept = chunk.bytes().hasRemaining() && head.status() == SWITCHING_PROTOCOLS;
                        tell(head, kept ? chunk : null);
                    }
                    return;
                }
                if (++interim > MOST_INTERIM) {
                    throw new ProtocolException("the server sent more than " + MOST_INTERIM + " interim responses");
                }
                parser.next();
                progress = parser.parse(chunk.bytes());
            }
            if (progress == Parsing.REFUSED) {
                throw new ProtocolException("the server's response is not of HTTP/1.1, malformed, or too large");
            }
        } finally {
            if (!kept) {
                chunk.release();
            }
        }
    }

    private void tell(ResponseHead head, @Nullable Chunk unread) {
        if (head.status() == SWITCHING_PROTOCOLS) {
            Offer offer = new Offer(unread);
            boolean told = false;
            try {
                listener.onUpgraded(head, offer);
                told = true;
            } finally {
                if (!told) {
                    offer.close();
                }
            }
        } else {
            connection.close(null);
            listener.onRefused(head);
        }
    }

    private void fail(IOException failure) {
        if (over.compareAndSet(false, true)) {
            connection.close(failure);
            listener.onFailed(failure);
        }
    }

    /** No peer is waited for here without a limit of whoever began this. */
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
                            : new IOException("the connection was closed before there was a response", cause));
        }
    }

    /** A handshake is short: what was asked for may be answered. */
    @Override
    public void drain() {}

    private final class Offer implements Upgraded {

        private @Nullable Chunk unread;

        Offer(@Nullable Chunk unread) {
            this.unread = unread;
        }

        @Override
        public void take(Duration idleTimeout, Consumer<HttpStream> next) {
            RawStream stream = new RawStream(connection, unread, idleTimeout, next);
            unread = null;
            connection.install(stream);
            stream.onReadable();
        }

        @Override
        public void close() {
            Chunk mine = unread;
            unread = null;
            if (mine != null) {
                mine.release();
            }
            connection.close(null);
        }
    }
}
