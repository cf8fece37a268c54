package io.millrace.http1;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientRequest;
import io.millrace.client.ResponseListener;
import io.millrace.client.serial.SerialClientSession;
import io.millrace.client.serial.SerialClientStream;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.http.Tokens;
import io.millrace.http1.ClientStreamState.Event;
import io.millrace.io.AtomicField;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.serial.Input;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request on a client's connection, and its response. {@link ClientStreamState} describes the states of both.
 *
 * <p><b>Threads.</b> One thread sends; another one reads: the connection's thread up to the response's head, then the
 * listener. They share only the state.
 */
final class Http1ClientStream extends SerialClientStream {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", ClientStreamState.class);

    private final Http1Client client;
    private final ClientRequest request;
    private volatile ClientStreamState state = ClientStreamState.OPEN;

    // confined to the reader
    private final ResponseHeads heads;
    private boolean begun;
    private boolean persistent;

    /** The head with status 101: written before SWITCHING, read after. */
    private @Nullable ResponseHead switching;

    private volatile @Nullable BodyDecoder body;

    // confined to the sender
    private final RequestWriter writer;

    Http1ClientStream(
            Http1Client client, SerialClientSession session, ClientRequest request, ResponseListener listener) {
        super(session, listener);
        this.client = client;
        this.request = request;
        heads = new ResponseHeads(client.options());
        writer = new RequestWriter(request);
    }

    // ---- the request

    @Override
    protected void begin() {
        connection().idleTimeout(client.responseTimeout());
        boolean last = !request.hasBody();
        if (last) {
            move(Event.LAST);
        }
        write(Payload.of(writer.head()), last, failure -> {
            if (failure == null) {
                listener().onHeadSent(this);
            }
        });
    }

    @Override
    public void send(ByteBuffer piece, boolean last, Completion completion) {
        ClientStreamState now = state;
        if (now == ClientStreamState.TUNNEL) {
            tunnel(piece, last, completion);
            return;
        }
        Payload framed = writer.body(piece, last);
        if (last) {
            now = move(Event.LAST);
        }
        if (now.isOver()) {
            completion.done(new IOException("the request has ended"));
        } else {
            write(framed, last, completion);
        }
    }

    private void write(Payload payload, boolean last, Completion completion) {
        if (payload.remaining() == 0 && !last) {
            completion.done(null);
            return;
        }
        connection().write(payload, failure -> {
            if (failure == null && last) {
                sent();
            }
            completion.done(failure);
        });
    }

    private void sent() {
        if (request.hasBody() && body == null) {
            connection().idleTimeout(client.responseTimeout()); // starts now
        }
        ClientStreamState from = move(Event.SENT);
        ResponseHead accepted = switching;
        if (from == ClientStreamState.ANSWERED) {
            session().whole(persistent);
        } else if (from == ClientStreamState.SWITCHING && accepted != null) {
            tell(accepted);
        }
    }

    private void tunnel(ByteBuffer piece, boolean last, Completion completion) {
        Completion then = last
                ? failure -> {
                    if (failure == null) {
                        connection().finish(completion);
                    } else {
                        completion.done(failure);
                    }
                }
                : completion;
        if (piece.hasRemaining()) {
            connection().write(Payload.of(piece), then);
        } else {
            then.done(null);
        }
    }

    @Override
    public void trailers(Headers fields) {
        writer.trailers(fields);
    }

    // ---- the response

    @Override
    protected void readHead() throws IOException {
        Input input = session().input();
        while (body == null) {
            Chunk chunk = input.next();
            if (chunk == null) {
                connection().awaitReadable();
                return;
            }
            if (chunk.isEnd()) {
                connection().close(null);
                return;
            }
            begun = true;
            ResponseHead head;
            try {
                head = heads.read(chunk.bytes(), listener()::onInform);
            } catch (java.net.ProtocolException wrong) {
                throw malformed(String.valueOf(wrong.getMessage()));
            } finally {
                input.keep(chunk);
            }
            if (head != null && head.status() == Status.SWITCHING_PROTOCOLS) {
                switched(head);
            } else if (head != null) {
                answer(head);
            }
        }
    }

    private void switched(ResponseHead head) throws IOException {
        String upgrade = request.upgrade();
        Headers fields = head.headers();
        boolean agreed = upgrade != null
                && fields.all("Upgrade").size() == 1
                && upgrade.equalsIgnoreCase(fields.get("Upgrade"))
                && Tokens.contains(fields.all("Connection"), "upgrade");
        if (!agreed) {
            throw malformed("its status is 101, but it does not switch to the requested protocol");
        }
        switching = head;
        connection().idleTimeout(Duration.ZERO);
        body = new UnframedBody(session().input());
        ClientStreamState from = move(Event.SWITCH);
        if (from.isOver()) {
            throw new IOException("the request has ended");
        }
        if (from == ClientStreamState.SENT) {
            tell(head);
        } // otherwise when the request was sent: the listener may write at once
    }

    private void answer(ResponseHead head) throws IOException {
        ResponseFraming framing = ResponseFraming.of(request.method(), head, heads.isOld());
        if (framing == null) {
            throw malformed("its length is ambiguous by Content-Length and Transfer-Encoding");
        }
        head.headers().remove("Content-Length").remove("Transfer-Encoding");
        head.contentLength(framing.announced());
        persistent = framing.persistent();
        BodyDecoder decoder = framing.body(session().input(), client.options());
        body = decoder;
        if (decoder.isExhausted()) {
            read();
        }
        tell(head);
    }

    @Override
    public void tunnel(Duration idleTimeout, Consumer<HttpStream> opened) {
        if (state != ClientStreamState.TUNNEL) {
            throw new IllegalStateException("the server has not switched to another protocol");
        }
        Connection connection = connection();
        RawStream tunnel = new RawStream(connection, session().input().takeAll(), idleTimeout, opened);
        connection.install(tunnel);
        session().left();
        tunnel.onReadable();
    }

    @Override
    protected boolean isAnswered() {
        return body != null;
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        BodyDecoder decoder = body;
        if (decoder == null) {
            throw new IllegalStateException("the response has no head yet");
        }
        if (isRead()) {
            return Chunk.END;
        }
        try {
            Chunk chunk = decoder.read();
            if (decoder.isExhausted() && state != ClientStreamState.TUNNEL) {
                answered();
            }
            return chunk;
        } catch (ProtocolException malformed) {
            IOException why = malformed("its body is malformed, too large, or truncated");
            connection().reset(why);
            throw why;
        } catch (IOException broken) {
            ClientException known = closed();
            throw known == null ? broken : known;
        }
    }

    /** Called when the last octet was read. The connection can be reused if the request was sent completely. */
    private void answered() {
        markRead();
        ClientStreamState from = move(Event.ANSWERED);
        if (from == ClientStreamState.SENT) {
            session().whole(persistent);
        } else if (from == ClientStreamState.OPEN) {
            connection().close(null);
        }
    }

    @Override
    public @Nullable Headers trailers() {
        return body instanceof ChunkedBody chunked ? chunked.trailers() : null;
    }

    // ---- the end

    /** The timeout of the response starts when the request has been sent. */
    @Override
    protected void onIdle() {
        if (body == null && (state == ClientStreamState.OPEN || state == ClientStreamState.SENDING)) {
            connection().awaitReadable();
        } else {
            timedOut(client.responseTimeout());
        }
    }

    @Override
    protected Processed processed() {
        return begun ? Processed.YES : Processed.MAYBE;
    }

    @Override
    protected boolean cut() {
        return !move(Event.CUT).isOver();
    }

    /** Returns the previous state. */
    private ClientStreamState move(Event event) {
        while (true) {
            ClientStreamState from = state;
            if (STATE.compareAndSet(this, from, ClientStreamState.next(from, event))) {
                return from;
            }
        }
    }
}
