package io.millrace.http1;

import io.millrace.client.ProxyHop;
import io.millrace.http.Headers;
import io.millrace.http.Method;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The client side of CONNECT: requests a tunnel to a server from a proxy (RFC 9110, 9.3.6). If the proxy refuses it, the failure is a
 * {@link ConnectRefusedException}. There is no timeout: the caller closes the connection if the response takes too long.
 *
 * @param authority host and port of the server, in visible ASCII characters
 * @param fields further header fields, such as Proxy-Authorization; Host is added
 */
public record ConnectRequest(String authority, Headers fields) implements ProxyHop {

    @Override
    public void pass(Connection connection, Consumer<Connection> onOpen, Consumer<Throwable> onFailed) {
        HeadEncoder head = new HeadEncoder(64 + 2 * authority.length() + HeadEncoder.size(fields));
        head.requestLine(Method.CONNECT, authority);
        for (int i = 0; i < fields.size(); i++) {
            head.field(fields.name(i), fields.value(i));
        }
        head.field("Host", authority);
        Answer answer = new Answer(connection, onOpen, onFailed);
        connection.install(answer);
        connection.write(Payload.of(head.end()), failure -> {}); // a failure closes the connection
        answer.onReadable();
    }

    /** Reads the proxy's response. Calls one of the two consumers, once. */
    private static final class Answer implements ConnectionHandler {

        private final Connection connection;
        private final Consumer<Connection> onOpen;
        private final Consumer<Throwable> onFailed;
        private final ResponseHeads heads = new ResponseHeads(Settings.DEFAULTS);
        /** Set by the thread that calls a consumer: the reader, or the one that closes the connection. */
        private final AtomicBoolean over = new AtomicBoolean();

        Answer(Connection connection, Consumer<Connection> onOpen, Consumer<Throwable> onFailed) {
            this.connection = connection;
            this.onOpen = onOpen;
            this.onFailed = onFailed;
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
                    throw new EOFException("the proxy closed the connection without a response");
                }
                ResponseHead head;
                boolean isMore;
                try {
                    ByteBuffer bytes = chunk.bytes();
                    head = heads.read(bytes, (status, fields) -> {});
                    isMore = bytes.hasRemaining();
                } finally {
                    chunk.release();
                }
                if (head != null) {
                    answered(head, isMore);
                }
            }
        }

        /** Ignores the framing in the head: a successful response to CONNECT has no body (RFC 9110, 9.3.6). */
        private void answered(ResponseHead head, boolean isMore) throws IOException {
            if (head.status() / 100 != 2) {
                throw new ConnectRefusedException(head);
            }
            if (isMore) { // the server waits for the client to send first, so these bytes cannot come from it
                throw new ProtocolException(
                        "the proxy sent data after its response to CONNECT; expected none before the client's");
            }
            if (over.compareAndSet(false, true)) {
                onOpen.accept(connection);
            }
        }

        private void fail(Throwable failure) {
            if (over.compareAndSet(false, true)) {
                connection.close(failure);
                onFailed.accept(failure);
            }
        }

        /** Called only if the caller has set an idle timeout. */
        @Override
        public void onIdle() {
            fail(new EOFException("the proxy sent no response in time"));
        }

        @Override
        public void onClosed(@Nullable Throwable cause) {
            fail(cause != null ? cause : new EOFException("the connection was closed before the proxy had responded"));
        }

        /** Does nothing: the exchange is short, and may be completed. */
        @Override
        public void drain() {}
    }
}
