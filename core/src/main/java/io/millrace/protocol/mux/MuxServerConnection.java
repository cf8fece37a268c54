package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import io.millrace.io.ReachedLimits;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.protocol.RefusedRequest;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A connection from a client, whose requests are dispatched. */
public final class MuxServerConnection extends MuxConnection {

    /** How long requests of a peer that has caused many resets are delayed. */
    private static final Duration REQUEST_DELAY = Duration.ofMillis(100);

    /** The request that upgraded the connection, and the settings in it. */
    record Upgrade(RequestHead request, @Nullable Priority priority, PeerSettings settings) {}

    private final Dispatcher dispatcher;
    private final FrameWriter writer;
    private final Input input;
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
        this.writer = writer;
        input = new Input();
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

    @Override
    protected FrameSink input() {
        return input;
    }

    @Override
    protected void opened() throws ConnectionFault {
        Upgrade from = upgrade;
        upgrade = null;
        if (from != null) {
            output().adopt(from.settings(), false);
            input.count();
            input.request(1, from.request(), from.priority(), true);
        }
    }

    @Override
    protected void notifyStreams() {
        input.notifyStreams();
    }

    @Override
    public void drain() {
        super.drain();
        scheduleClose();
    }

    @Override
    protected void peerEnded(boolean truncated) {
        if (truncated
                || !isServed()
                || streams().isEmpty()
                || !context().options().get(HttpOptions.ALLOW_HALF_CLOSE)) {
            transport().close(null);
            return;
        }
        transport().limitWrites(HALF_CLOSED_LIMIT);
        streams().failOpenInputs();
        streams().acceptNoMore();
        watch();
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
    protected void beginDrain() {
        if (clock().hasBegun()) {
            streams().drain();
        } else {
            transport().close(null);
        }
    }

    @Override
    protected int lastOfPeer() {
        return streams().highest();
    }

    @Override
    protected void note(ConnectionFault fault) {
        if (fault.fault() == Fault.ENHANCE_YOUR_CALM) {
            channel().limits().reached(Limit.FLOODS);
        }
        context().note(fault, transport().channel().info().remote());
    }

    /** Dispatches a request after a delay, because the peer has caused many resets. */
    private void delay(RequestHead head, MuxServerStream stream) {
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
    private void dispatchElsewhere(RequestHead head, MuxServerStream stream) {
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

    // ---- server push (RFC 9113, 8.4): each pushed response is promised on the stream of a request before the end of
    // its
    // response, and its own request is dispatched as if the client had sent it

    /** Whether a response can be pushed on this stream now. */
    boolean canPush(MuxServerStream parent) {
        synchronized (lock()) {
            return mayPush(parent);
        }
    }

    /** Only on a stream opened by the client whose response has not ended. Called with the lock held. */
    private boolean mayPush(MuxServerStream parent) {
        lock().assertHeld();
        return !parent.isPushed()
                && parent.isOwnOpen()
                && streams().state().isServing()
                && !streams().hasPeerLeft()
                && hasRoomFor(writer.maxPushed());
    }

    private boolean hasRoomFor(int max) {
        return max > 0
                && !streams().isAtLimit(context().options().get(MuxOptions.MAX_CONCURRENT_STREAMS))
                && streams().nextPushed() > 0
                && streams().all().stream().filter(MuxStream::isPushed).count() < max;
    }

    /** See {@link io.millrace.protocol.PushStream#push}; authority, scheme and version are those of the parent's request. */
    boolean push(MuxServerStream parent, RequestHead request, String method, String target, Headers headers) {
        RequestHead promised = promised(request, method, target, headers);
        MuxServerStream stream = promised == null ? null : openPushed(parent, promised);
        if (promised == null || stream == null) {
            return false;
        }
        output().pump().flushSoon();
        dispatchElsewhere(promised, stream);
        return true;
    }

    private @Nullable MuxServerStream openPushed(MuxServerStream parent, RequestHead promised) {
        synchronized (lock()) {
            if (!mayPush(parent)) {
                return null;
            }
            int id = streams().nextPushed();
            MuxServerStream stream = new MuxServerStream(
                    this, new MuxServerStream.Opening(id, promised, promised.method(), null, true, false));
            streams().open(stream);
            output().sendControl(to -> writer.push(parent.id(), id, promised, to));
            return stream;
        }
    }

    /** Null if the request cannot be promised, or the connector would reject it. */
    private @Nullable RequestHead promised(RequestHead request, String method, String target, Headers headers) {
        boolean safe = method.equals(Method.GET) || method.equals(Method.HEAD);
        int mark = target.indexOf('?');
        String raw = mark < 0 ? target : target.substring(0, mark);
        if (!safe || request.authority() == null || !isPrintable(target) || isTooLarge(target, headers)) {
            return null;
        }
        RequestPath path = RequestPath.parse(
                raw,
                context().options().get(ProtocolOptions.ENCODED_SOLIDUS_HANDLING),
                context().options().get(ProtocolOptions.URI_ENCODING));
        if (path == null) {
            return null;
        }
        Headers fields = headers.copy().set("host", request.authority());
        String query = mark < 0 ? null : target.substring(mark + 1);
        return new RequestHead(
                method, target, path, query, request.version(), request.scheme(), request.authority(), fields, 0);
    }

    private static boolean isPrintable(String target) {
        return target.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '#');
    }

    private boolean isTooLarge(String target, Headers headers) {
        return target.length() + headers.characters() > context().options().get(HttpOptions.MAX_REQUEST_HEADER_SIZE)
                || headers.size() >= context().options().get(ProtocolOptions.MAX_HEADER_COUNT);
    }

    /** The input from a client: requests and their priorities. */
    private final class Input extends MuxInput {

        /** The maximum number of remembered priorities, which are only hints. */
        private static final int MAX_ANNOUNCED = 256;

        /** The priorities of streams that are not open yet; null if there are none. */
        private @Nullable NavigableMap<Integer, Priority> announced;

        Input() {
            super(MuxServerConnection.this);
        }

        // ---- requests

        @Override
        public HeadersKind headers(int id, boolean end) throws ConnectionFault {
            count();
            requireOdd(id);
            MuxStream stream = streams.find(id);
            if (stream != null) {
                return trailersOf(stream);
            }
            if (streams.isUnused(id) && streams.state().isServing()) {
                return HeadersKind.REQUEST;
            }
            closed(id);
            return HeadersKind.IGNORED;
        }

        @Override
        public void request(int id, RequestHead head, @Nullable Priority priority, boolean end) throws ConnectionFault {
            Priority known = announced(id, priority);
            MuxServerStream stream = open(new MuxServerStream.Opening(id, head, head.method(), known, end, false));
            if (stream != null && end && head.contentLength() > 0) {
                String found = "a request with a Content-Length, but without a body";
                String line = head.method() + " " + head.target() + " " + head.version();
                record(Status.BAD_REQUEST, found, line, () -> {});
                fault(stream, Fault.PROTOCOL, found);
                streams.end(stream);
            } else if (stream != null) {
                admit(head, stream);
            }
        }

        @Override
        public void connect(int id, RequestHead head, @Nullable Priority priority) throws ConnectionFault {
            Priority known = announced(id, priority);
            MuxServerStream stream = open(new MuxServerStream.Opening(id, head, head.method(), known, false, true));
            if (stream != null) {
                admit(head, stream);
            }
        }

        /** Null if the stream was refused because of the limit, or ignored because of a shutdown. */
        private @Nullable MuxServerStream open(MuxServerStream.Opening opening) throws ConnectionFault {
            synchronized (lock) {
                if (!streams.state().isServing()) {
                    return null;
                }
                if (streams.isAtLimit(context().options().get(MuxOptions.MAX_CONCURRENT_STREAMS))) {
                    streams.refuseNew(opening.id(), Fault.REFUSED);
                    return null;
                }
                MuxServerStream stream = new MuxServerStream(MuxServerConnection.this, opening);
                streams.open(stream);
                return stream;
            }
        }

        private void admit(RequestHead head, MuxServerStream stream) throws ConnectionFault {
            switch (meter().resets(System.nanoTime())) {
                case FINE -> dispatcher.dispatch(head, stream);
                case SLOW -> delay(head, stream);
                case STOP -> throw new ConnectionFault(Fault.ENHANCE_YOUR_CALM, "too many streams reset");
            }
        }

        @Override
        public void violated(RequestFault why) {
            why.countIn(channel().limits());
        }

        /** Accounted for like a request that is rejected with 400, although its stream is reset. */
        @Override
        public void malformed(int id, String found, @Nullable String line, Runnable log) throws ConnectionFault {
            record(Status.BAD_REQUEST, found, line, log);
            fault(id, Fault.PROTOCOL, found);
        }

        private RefusedRequest record(int status, String found, @Nullable String line, Runnable log) {
            RefusedRequest refused =
                    new RefusedRequest(status, found, line, channel().info());
            dispatcher.refused(refused);
            refused.log(log);
            return refused;
        }

        @Override
        public void refused(int id, int status, String found, @Nullable String line, boolean end, Runnable log)
                throws ConnectionFault {
            String method = line == null ? "" : line.substring(0, Math.max(0, line.indexOf(' ')));
            MuxServerStream stream = open(new MuxServerStream.Opening(id, null, method, null, end, false));
            if (stream == null) {
                log.run();
                return;
            }
            Headers more = record(status, found, line, log).fields();
            ResponseHead head = new ResponseHead().status(status);
            for (int i = 0; i < more.size(); i++) {
                head.headers().set(more.name(i), more.value(i));
            }
            head.headers().add("Content-Type", "text/plain;charset=US-ASCII");
            String text = status + " " + Status.reason(status) + ": found " + found + ".\n";
            ByteBuffer body = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            stream.discard();
            stream.send(head, Payload.of(body), true, failure -> {
                if (failure == null) {
                    stream.end();
                } else {
                    stream.abort(failure);
                }
            });
        }

        @Override
        public void priority(int id, Priority priority) throws ConnectionFault {
            count();
            if ((id & 1) == 0) {
                requireUsed(id, "a priority");
            }
            countGlitch();
            MuxStream stream = streams.find(id);
            if (stream != null) {
                output.prioritize(stream, priority);
            } else if (streams.isUnused(id)) {
                announce(id, priority);
            }
        }

        /** Remembers the priority of a stream that is not open yet, for as many as may be open (RFC 9218, 7.1). */
        private void announce(int id, Priority priority) {
            NavigableMap<Integer, Priority> known = announced;
            if (known == null) {
                known = new TreeMap<>();
                announced = known;
            }
            int max = Math.min(MAX_ANNOUNCED, context().options().get(MuxOptions.MAX_CONCURRENT_STREAMS));
            if (known.size() < max || known.containsKey(id)) {
                known.put(id, priority);
            }
        }

        /** A priority that was sent before the request takes precedence over the request's own (RFC 9218, 7). */
        private @Nullable Priority announced(int id, @Nullable Priority priority) {
            NavigableMap<Integer, Priority> known = announced;
            if (known == null) {
                return priority;
            }
            Priority first = known.get(id);
            known.headMap(id, true).clear(); // lower ids are skipped
            announced = known.isEmpty() ? null : known;
            return first == null ? priority : first;
        }

        @Override
        public void goAway(int lastId, Fault fault) throws ConnectionFault {
            count();
            countGlitch();
            streams.peerLeaves();
        }
    }
}
