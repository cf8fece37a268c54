package io.millrace.protocol.mux;

import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ReachedLimits;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A connection from a client, whose requests are dispatched. */
public final class MuxServerConnection extends MuxConnection {

    /** How long requests of a peer that has caused many resets are delayed. */
    private static final Duration REQUEST_DELAY = Duration.ofMillis(100);

    /** The request that upgraded the connection, and the settings in it. */
    record Upgrade(RequestHead request, @Nullable Priority priority, PeerSettings settings) {}

    private final Dispatcher dispatcher;
    private final MuxServerInput input;
    private final ServerPush push;
    private @Nullable Upgrade upgrade;

    /**
     * The handler of a connection.
     *
     * @param unread bytes that were read before the protocol was selected, owned by this object; null if there are none
     */
    public MuxServerConnection(
            MuxContext context,
            Connection connection,
            @Nullable Chunk unread,
            Dispatcher dispatcher,
            FrameReader reader,
            FrameWriter writer) {
        super(context, connection, unread, dispatcher.turns(), reader, writer, true);
        ReachedLimits limits = connection.channel().limits();
        this.dispatcher = dispatcher.ofConnection(
                context.options().get(MuxOptions.MAX_CONCURRENT_STREAM_EXECUTION),
                () -> limits.reached(Limit.CONNECTION_WORKERS));
        input = new MuxServerInput(this);
        push = new ServerPush(this, writer);
    }

    /**
     * Sets the HTTP/1.1 request that upgraded the connection, which becomes stream 1 (RFC 7540, 3.2). Called first.
     *
     * @param request a request without a body
     * @param priority null if the request has none
     * @param settings the settings in the request, which are not acknowledged
     */
    public void upgraded(RequestHead request, @Nullable Priority priority, PeerSettings settings) {
        upgrade = new Upgrade(request, priority, settings);
    }

    /** Returns the upgrade once; null afterwards, or if there was none. */
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
        scheduleClose();
    }

    @Override
    void peerEnded(boolean truncated) {
        if (truncated
                || !isServed()
                || streams().isEmpty()
                || !context().options().get(HttpOptions.ALLOW_HALF_CLOSE)) {
            transport().close(null);
            return;
        }
        transport().limitWrites(HALF_CLOSED_LIMIT);
        shutdown().failOpenInputs();
        shutdown().last();
        sweep().check();
        scheduleClose();
    }

    /** A peer that has ended its output has most likely disconnected: a draining server waits only briefly for it. */
    private void scheduleClose() {
        if (isEnded() && isDraining()) {
            IOException why = new IOException("the client ended its output, and the server is stopping");
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
        if (fault.fault() == Fault.ENHANCE_YOUR_CALM) {
            channel().limits().reached(Limit.FLOODS);
        }
        context().note(fault, transport().channel().info().remote());
    }

    /** Dispatches a request after a delay, because the peer has caused many resets. */
    void delay(RequestHead head, MuxServerStream stream) {
        context().noteHeldBack(transport().channel());
        stream.holdBack(true);
        channel()
                .timers()
                .schedule(
                        () -> {
                            stream.holdBack(false);
                            if (stream.lostBy() == null) {
                                dispatchElsewhere(head, stream);
                            } else {
                                stream.abort(null); // it was reset meanwhile: ends the exchange
                            }
                        },
                        REQUEST_DELAY);
    }

    /** Dispatches a request on another thread. */
    void dispatchElsewhere(RequestHead head, MuxServerStream stream) {
        boolean taken = dispatcher.turns().take(() -> {
            try {
                dispatcher.dispatch(head, stream);
            } catch (Throwable error) {
                failed(error);
            }
        });
        if (!taken) {
            stream.abort(new StreamResetException(ResetReason.REFUSED, "no worker thread is available"));
        }
    }
}
