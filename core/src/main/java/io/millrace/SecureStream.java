package io.millrace;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.Protocol;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A stream whose client reached us through a front end that ended TLS. */
final class SecureStream implements HttpStream {

    private final HttpStream stream;

    SecureStream(HttpStream stream) {
        this.stream = stream;
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return stream.read();
    }

    @Override
    public void awaitReadable(Runnable ready) {
        stream.awaitReadable(ready);
    }

    @Override
    public void inform(int status, Headers headers, Completion completion) {
        stream.inform(status, headers, completion);
    }

    @Override
    public void send(@Nullable ResponseHead head, Payload body, boolean last, Completion completion) {
        stream.send(head, body, last, completion);
    }

    @Override
    public void switchTo(ResponseHead head, Protocol next) {
        stream.switchTo(head, next);
    }

    @Override
    public void end() {
        stream.end();
    }

    @Override
    public void abort(@Nullable Throwable cause) {
        stream.abort(cause);
    }

    @Override
    public void onClosed(Consumer<@Nullable Throwable> closed) {
        stream.onClosed(closed);
    }

    @Override
    public boolean mayBlock() {
        return stream.mayBlock();
    }

    @Override
    public ConnectionInfo info() {
        return new Secure(stream.info());
    }

    @Override
    public BufferPool buffers() {
        return stream.buffers();
    }

    private record Secure(ConnectionInfo info) implements ConnectionInfo {
        @Override
        public SocketAddress local() {
            return info.local();
        }

        @Override
        public SocketAddress remote() {
            return info.remote();
        }

        @Override
        public boolean isSecure() {
            return true;
        }
    }
}
