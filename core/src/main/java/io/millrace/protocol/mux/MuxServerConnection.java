package io.millrace.protocol.mux;

import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A connection that a client has opened: its requests are dispatched. */
public final class MuxServerConnection extends MuxConnection {

    /** A peer that causes resets waits so long for its next requests. */
    private static final Duration PARKED = Duration.ofMillis(100);

    /** What an upgrade has brought with it. */
    record Upgrade(RequestHead request, @Nullable Priority priority, PeerSettings settings) {}

    private final Dispatcher dispatcher;
    private final MuxServerInput input;
    private final ServerPush push;
    private @Nullable Upgrade upgrade;

    /**
     * The handler of one connection.
     *
     * @param unread bytes read before the protocol was known; ours from now on
     */
    public MuxServerConnection(
            MuxContext context,
            Connection connection,
            @Nullable Chunk unread,
            Dispatcher dispatcher,
            FrameReader reader,
            FrameWriter writer) {
        super(context, connection, unread, dispatcher.turns(), reader, writer, true);
        this.dispatcher = dispatcher;
        input = new MuxServerInput(this);
        push = new ServerPush(this, writer);
    }

    /**
     * The connection was upgraded by a request of HTTP/1.1, which is stream 1 (RFC 7540, 3.2). Before anything else.
     *
     * @param request without a body
     * @param priority null if the request has none
     * @param settings that came with it; they are not acknowledged
     */
    public void upgraded(RequestHead request, @Nullable Priority priority, PeerSettings settings) {
        upgrade = new Upgrade(request, priority, settings);
    }

    /** The upgrade, once. */
    @Nullable
    Upgrade takeUpgrade() {
        Upgrade taken = upgrade;
        upgrade = null;
        return taken;
    }

    @Override
    MuxInput input() {
        return input;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    ServerPush push() {
        return push;
    }

    @Override
    public void drain() {
        super.drain();
        limitDeparture();
    }

    @Override
    void peerEnded() {
        if (!isServed() || streams().isEmpty() || !context().options().get(HttpOptions.ALLOW_HALF_CLOSE)) {
            transport().close(null);
            return;
        }
        shutdown().peerGone();
        shutdown().last();
        limitDeparture();
    }

    /** A peer that has ended its output is most likely gone: when the server stops it has a moment for its responses. */
    private void limitDeparture() {
        if (isEnded() && isDraining()) {
            IOException why = new IOException("the client ended its output, and the server stops");
            channel().timers().schedule(() -> transport().close(why), DRAIN_LIMIT);
        }
    }

    @Override
    void beginDrain() {
        if (input.events() == 0) {
            transport().close(null);
        } else {
            shutdown().drain();
        }
    }

    @Override
    int lastOfPeer() {
        return streams().last();
    }

    @Override
    void note(ConnectionFault fault) {
        context().note(fault, transport().channel().info().remote());
    }

    /** The peer has caused many resets: its request is dispatched a little later. */
    void park(RequestHead head, MuxServerStream stream) {
        channel()
                .timers()
                .schedule(
                        () -> {
                            if (stream.lostBy() == null) {
                                dispatchElsewhere(head, stream);
                            } else {
                                stream.abort(null); // it was reset meanwhile, and nobody has it
                            }
                        },
                        PARKED);
    }

    /** Dispatches a request on another thread than this. */
    void dispatchElsewhere(RequestHead head, MuxServerStream stream) {
        boolean taken = dispatcher.turns().take(() -> {
            try {
                dispatcher.dispatch(head, stream);
            } catch (Throwable error) {
                failed(error);
            }
        });
        if (!taken) {
            stream.abort(new StreamResetException(ResetReason.REFUSED, "no worker was free"));
        }
    }
}
