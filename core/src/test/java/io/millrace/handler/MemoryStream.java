package io.millrace.handler;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Blocker;
import io.millrace.io.BufferPool;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.ConnectionMeter;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.protocol.HttpStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A stream without a connection: an empty request body, and a response kept in memory. */
public final class MemoryStream implements HttpStream {

    private final BufferPool buffers = new BufferPool(1 << 20);
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable ResponseHead head;
    private final @Nullable String tlsServerName;
    private volatile boolean ended;
    private int pieces;
    private Runnable onPiece = () -> {};
    private Consumer<@Nullable Throwable> onAbort = cause -> {
        throw new AssertionError("aborted", cause);
    };

    public MemoryStream() {
        this(null);
    }

    /** @param tlsServerName the name in the handshake; null for none */
    MemoryStream(@Nullable String tlsServerName) {
        this.tlsServerName = tlsServerName;
    }

    public int status() {
        return head().status();
    }

    public @Nullable String header(String name) {
        return head().headers().get(name);
    }

    public long contentLength() {
        return head().contentLength();
    }

    public byte[] bytes() {
        return body.toByteArray();
    }

    /** The number of pieces in which the body was written. */
    public int pieces() {
        return pieces;
    }

    public String body() {
        return body.toString(StandardCharsets.UTF_8);
    }

    /** Called before each piece is taken. */
    void onPiece(Runnable action) {
        onPiece = action;
    }

    /** Instead of failing. */
    void onAbort(Consumer<@Nullable Throwable> action) {
        onAbort = action;
    }

    public boolean isEnded() {
        return ended;
    }

    private ResponseHead head() {
        if (head == null) {
            throw new AssertionError("there was no response");
        }
        return head;
    }

    @Override
    public Chunk read() {
        return Chunk.END;
    }

    @Override
    public void awaitReadable(Runnable ready) {
        ready.run();
    }

    @Override
    public void inform(int status, Headers headers, Completion completion) {
        completion.done(null);
    }

    @Override
    public void send(@Nullable ResponseHead first, Payload piece, boolean last, Completion completion) {
        head = first == null ? head : first;
        pieces++;
        onPiece.run();
        try {
            take(piece);
            completion.done(null);
        } catch (IOException e) {
            completion.done(e);
        }
    }

    private void take(Payload piece) throws IOException {
        if (piece instanceof Payload.FileRegion region) {
            region.file().transferTo(region.position(), region.remaining(), Channels.newChannel(body));
        } else if (piece instanceof Payload.Bytes bytes) {
            for (ByteBuffer buffer : bytes.buffers()) {
                byte[] copy = new byte[buffer.remaining()];
                buffer.get(copy);
                body.write(copy);
            }
        }
    }

    @Override
    public void tunnel(ResponseHead response, Duration idleTimeout, Consumer<HttpStream> opened) {
        head = response; // nobody opens it
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public void abort(@Nullable Throwable cause) {
        onAbort.accept(cause);
    }

    @Override
    public void onClosed(Consumer<@Nullable Throwable> closed) {
        // nobody closes it
    }

    @Override
    public Channel channel() {
        return new Channel(
                new Info(tlsServerName),
                buffers,
                false,
                false,
                Blocker.NEVER_IN_PLACE,
                new Timers("unused"),
                new ConnectionMeter());
    }

    private record Info(@Nullable String tlsServerName) implements ConnectionInfo {
        @Override
        public SocketAddress local() {
            return address(8080, 127, 0, 0, 1);
        }

        @Override
        public SocketAddress remote() {
            return address(40_000, 192, 0, 2, 7);
        }

        private static SocketAddress address(int port, int... ip) {
            byte[] bytes = {(byte) ip[0], (byte) ip[1], (byte) ip[2], (byte) ip[3]};
            try {
                return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
            } catch (UnknownHostException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
