package io.millrace.exchange;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Blocker;
import io.millrace.io.Channel;
import io.millrace.io.Completion;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Payload;
import io.millrace.io.ShortageLogging;
import io.millrace.jfr.Recorder;
import io.millrace.log.CoreLog;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.PushStream;
import io.millrace.protocol.ResetReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, as seen by handlers, and its end. {@link StepRunner} decides which thread runs it; {@link
 * ExchangeInput} and {@link ExchangeOutput} keep the states of its bodies. Created for each request; parts that few handlers
 * need are created on demand.
 *
 * <p>An exchange ends when its last step has returned and its response was sent or has failed. The thread on which the later
 * of the two happens notifies the listeners and then the stream.
 */
final class Exchange extends RequestMeter.Entry implements HttpExchange {

    private static final Logger LOG = Logger.getLogger(Exchange.class);

    private final ExchangeContext context;
    private final HttpStream stream;
    private final long arrival = System.nanoTime();
    private final StepRunner steps;
    private final ExchangeOutput output;
    /** Null until it starts. */
    private RequestMeter.@Nullable Stripe counted;

    private final boolean isTunnel;
    private final @Nullable RequestId requestId;

    private RequestHead request;
    private @Nullable ExchangeChannel channel;
    private @Nullable BodySource presentedBody;

    private @Nullable ExchangeInput input;
    private @Nullable Attributes attributes;

    /** Null unless a flight recorder wants it. */
    private final Recorder.@Nullable RequestSpan recorded;

    private @Nullable EndListeners listeners;
    private @Nullable TunnelHandler upgrade;

    /** Whether a handler failed because its client has left. */
    private boolean disconnected;

    /** The exception of a handler. */
    private @Nullable Throwable thrown;

    /** Why the exchange cannot be suspended any more: it was aborted, or the connection is closed. */
    private volatile @Nullable Throwable lost;

    Exchange(ExchangeContext context, RequestHead request, HttpStream stream) {
        this(context, request, stream, false, null);
    }

    private Exchange(
            ExchangeContext context,
            RequestHead request,
            HttpStream stream,
            boolean isTunnel,
            @Nullable RequestId requestId) {
        this.isTunnel = isTunnel;
        recorded = isTunnel ? null : Recorder.request();
        this.context = context;
        this.requestId = requestId == null && context.requestIds() ? RequestId.give(attributes()) : requestId;
        this.request = request;
        this.stream = stream;
        steps = new StepRunner(this, context);
        output = new ExchangeOutput(this, stream);
        if (recorded != null) {
            attributes().put(RequestMeter.RECORDED, recorded);
        }
    }

    /** For a flight recorder; null if none wants it. */
    Recorder.@Nullable RequestSpan recorded() {
        return recorded;
    }

    /** Counts it. Returns what runs its handlers, the first one on the connection's thread, or on a worker for a tunnel. */
    StepRunner begin() {
        counted = context.meter().begin(this);
        return steps;
    }

    @Override
    public RequestHead request() {
        return request;
    }

    @Override
    public void present(RequestHead other, ConnectionInfo connection, BodySource body) {
        ExchangeChannel known = channel();
        boolean relayed = !connection.equals(known.info())
                || !other.scheme().equals(request.scheme())
                || !Objects.equals(other.authority(), request.authority());
        request = other;
        channel = new ExchangeChannel(
                known.connection().with(connection),
                known.workers(),
                known.tasks(),
                known.timers(),
                known.outputLimit(),
                relayed ? null : known.push(),
                known.inline());
        presentedBody = body;
    }

    @Override
    public ResponseHead response() {
        return output.head();
    }

    @Override
    public BodySource input() {
        return presentedBody != null ? presentedBody : arrived();
    }

    private ExchangeInput arrived() {
        ExchangeInput made = input;
        if (made == null) {
            made = new ExchangeInput(stream);
            input = made;
            if (steps.isEnded()) {
                made.close(() -> {});
            }
        }
        return made;
    }

    @Override
    public ResponseSink output() {
        return output;
    }

    @Override
    public void dispatch(HttpHandler next) {
        steps.dispatch(Objects.requireNonNull(next));
    }

    @Override
    public Suspension suspend(Duration timeout, HttpHandler onTimeout) {
        StepRunner.Suspended suspension = steps.suspend(timeout, onTimeout);
        stream.onClosed(this::connectionClosed);
        Throwable cause = lost;
        if (cause != null) {
            suspension.fail(cause); // lost before the suspension existed
        }
        return suspension;
    }

    @Override
    public void tunnel(TunnelHandler next) {
        if (output.isCommitted()) {
            throw new IllegalStateException(
                    "the response is already committed; the connection cannot be upgraded any more");
        }
        upgrade = next;
    }

    @Override
    public void abort(Throwable cause) {
        lost = cause;
        if (output.fail(cause)) {
            stream.abort(cause);
        }
        steps.interrupt(cause);
        settled();
    }

    /**
     * Ends a suspension that otherwise might not end. If the response was sent completely, the disconnect is no failure, and
     * a suspended handler may continue its work.
     */
    private void connectionClosed(@Nullable Throwable cause) {
        if (lost == null && output.state() != ResponseState.FINISHED) {
            ClientClosedException gone = new ClientClosedException(cause);
            lost = gone;
            steps.interrupt(gone);
        }
    }

    @Override
    public void onEnd(Consumer<Outcome> listener) {
        EndListeners known = listeners;
        if (known == null) {
            known = new EndListeners();
            listeners = known;
        }
        known.add(listener);
    }

    /** The listener for its threads; null if there is none. */
    @Nullable
    StepWatch watch() {
        Attributes known = attributes;
        return known == null ? null : known.get(StepWatch.WATCH);
    }

    /** Null unless the connector gives ids. */
    @Nullable
    RequestId requestId() {
        return requestId;
    }

    /** Adds the ids to a response whose head is about to be sent, in place of those of an application or a backend. */
    void identify(ResponseHead head) {
        if (requestId != null && !isTunnel) {
            requestId.addTo(head.headers());
        }
    }

    @Override
    public Attributes attributes() {
        Attributes made = attributes;
        if (made == null) {
            made = new Attributes(context.given());
            attributes = made;
        }
        return made;
    }

    @Override
    public <T> @Nullable T attribute(AttributeKey<T> key) {
        Attributes known = attributes;
        return (known == null ? context.given() : known).get(key);
    }

    @Override
    public ExchangeChannel channel() {
        ExchangeChannel made = channel;
        if (made == null) {
            made = new ExchangeChannel(
                    stream.channel(),
                    context.workers(),
                    context.tasks(),
                    context.timers(),
                    context.options().outputLimit(),
                    stream instanceof PushStream pushing ? pushing : null,
                    context.share() == null ? context.inline() : null);
            channel = made;
        }
        return made;
    }

    /** The connection's blocker; does not create {@link #channel}. */
    Blocker blocker() {
        return stream.channel().blocker();
    }

    @Override
    public String toString() {
        return request.method() + " " + printablePath();
    }

    /** The path for a log line: without control characters, which could forge other lines. */
    String printablePath() {
        String path = request.path().raw();
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) < ' ' || path.charAt(i) == 0x7f) {
                return path.replaceAll("\\p{Cntrl}", "?");
            }
        }
        return path;
    }

    /** Called when the last step has returned or thrown, by its thread, which still owns the exchange: ends the response. */
    void complete(@Nullable Throwable failure) {
        try {
            if (failure != null) {
                fail(failure);
            } else if (upgrade != null) {
                openTunnel(upgrade);
            } else {
                output.end();
            }
        } catch (Throwable unexpected) {
            giveUp(unexpected);
        }
    }

    /** Called if the executor of the next step has rejected it. */
    void refused(Throwable refusal) {
        LOG.debugf(refusal, "No worker for %s", this);
        try {
            thrown = refusal;
            respondWithError(503, null, refusal);
        } catch (Throwable unexpected) {
            giveUp(unexpected);
        }
    }

    /** True once the last step has returned and the response was sent or has failed. */
    boolean isEnded() {
        return steps.isEnded();
    }

    /** Called when the last step has ended or the response is settled; ends the exchange once both are true. Thread-safe. */
    void settled() {
        if (output.state().isSettled() && steps.finish()) {
            end();
        }
    }

    private void openTunnel(TunnelHandler next) {
        if (!output.isCommitted()) {
            output.head().status(101);
            identify(output.head());
            ExchangeContext shared = context;
            RequestId id = requestId;
            RequestHead bare = request.with(request.scheme(), request.authority(), new Headers());
            stream.tunnel(output.head(), next.idleTimeout(), tunnel -> enter(tunnel, shared, bare, id, next));
            output.switched();
        } else {
            fail(new IllegalStateException("the response was committed before the upgrade; do not write to it"));
        }
    }

    /** Starts on a worker: this thread is still completing the exchange that was upgraded. */
    private static void enter(
            HttpStream tunnel,
            ExchangeContext context,
            RequestHead request,
            @Nullable RequestId id,
            TunnelHandler first) {
        Exchange exchange = new Exchange(context, request, tunnel, true, id);
        try {
            tunnel.onDrain(first::drain);
            Executor executor = first instanceof NonBlockingHandler ? context.workers() : context.tasks();
            executor.execute(
                    () -> exchange.begin().start(first, tunnel.channel().blocker()));
        } catch (RejectedExecutionException stopping) {
            tunnel.abort(stopping);
        }
    }

    private void fail(Throwable failure) {
        if (thrown == null) {
            thrown = failure;
        }
        FailureKind kind = FailureKind.of(failure, output, input);
        if (kind == FailureKind.DISCONNECTED) {
            LOG.debugf(failure, "%s: the client is gone", this);
            disconnected = true;
            output.fail(failure);
            return;
        }
        if (kind == FailureKind.SERVER_ERROR && ShortageLogging.isDue(failure)) {
            CoreLog.EXCHANGE.exchangeFailed(request.method(), printablePath(), FailureReference.give(this), failure);
        }
        respondWithError(kind.status(failure), failure, failure);
    }

    /** Called if a handler threw although another thread continues with the exchange. */
    void thrownTooLate(Throwable failure) {
        if (FailureKind.of(failure, output, input) == FailureKind.SERVER_ERROR) {
            CoreLog.EXCHANGE.thrownAfterResume(request.method(), printablePath(), failure);
        }
    }

    /** Ends the exchange after an internal error. */
    private void giveUp(Throwable unexpected) {
        if (upgrade != null && !output.isCommitted()) {
            fail(unexpected);
        } else {
            CoreLog.EXCHANGE.exchangeFailed(request.method(), printablePath(), FailureReference.give(this), unexpected);
            output.fail(unexpected);
        }
    }

    /** Sends an error response, unless the response is committed. A complete response stays as it is. */
    private void respondWithError(int status, @Nullable Throwable shown, Throwable cause) {
        upgrade = null;
        if (!output.isCommitted()) {
            output.drop();
            Payload body = errorBody(status, shown);
            output.head().contentLength(body.remaining());
            output.write(body, true, Completion.IGNORE);
        } else if (!isResponseComplete()) {
            output.fail(cause);
        }
    }

    private Payload errorBody(int status, @Nullable Throwable failure) {
        clearHead(status);
        try {
            return context.options().errors().body(this, status, failure);
        } catch (RuntimeException | Error broken) {
            CoreLog.EXCHANGE.errorResponseFailed(request.method(), printablePath(), broken);
            clearHead(status);
            return Payload.NOTHING;
        }
    }

    private void clearHead(int status) {
        ResponseHead head = output.head();
        head.headers().clear();
        head.status(status).reason(null).contentLength(-1);
    }

    private boolean isResponseComplete() {
        BodyCollector collector = output.collector();
        return output.state().isComplete() || collector != null && collector.isClosed();
    }

    private void end() {
        Throwable failure = output.failure();
        long nanos = System.nanoTime() - arrival;
        boolean aborted = isAbortedByClient(failure);
        RequestMeter.Stripe stripe = counted;
        if (stripe != null) {
            ExchangeInput body = input;
            long received = body == null ? 0 : body.received();
            stripe.remove(this, request.version(), status(failure), aborted, received, bytesSent(), nanos);
        }
        if (recorded != null) {
            recorded.end(
                    request.method(),
                    request.path().raw(),
                    status(failure),
                    context.meter().name(),
                    bytesSent());
        }
        if (listeners != null) {
            listeners.call(outcome(failure, nanos));
        }
        output.discard();
        if (input == null || input.close(this::endStreamOnWorker)) {
            endStream();
        }
        Channel below = stream.channel(); // last, as it may allocate
        if (aborted && request.version().compareTo(HttpVersion.HTTP_1_1) <= 0) {
            below.meter().aborted().aborted(below.info(), nanos, arrival + nanos);
        } else if (failure == null) {
            below.meter().aborted().answered(below.info(), arrival + nanos);
        }
    }

    /** Used if a thread of the application was the last inside the stream: the connection must not continue on it. */
    private void endStreamOnWorker() {
        try {
            context.workers().execute(this::endStream);
        } catch (RejectedExecutionException stopping) {
            endStream();
        }
    }

    private void endStream() {
        if (output.state() == ResponseState.FAILED) {
            stream.abort(output.failure());
        } else if (upgrade == null) {
            stream.end();
        }
    }

    private Outcome outcome(@Nullable Throwable failure, long nanos) {
        return new Outcome(status(failure), bytesSent(), nanos, thrown == null ? failure : thrown);
    }

    private int status(@Nullable Throwable failure) {
        boolean unseen = failure != null && !output.isAnythingSent();
        return unseen ? 499 : output.head().status();
    }

    /** Whether the client has left, and neither a handler has failed nor the server has given up. */
    @SuppressWarnings("ReferenceEquality") // this very exception
    private boolean isAbortedByClient(@Nullable Throwable failure) {
        Throwable cause = lost;
        return failure != null
                && (disconnected || cause instanceof ClientClosedException || cause == null && failure != thrown);
    }

    private long bytesSent() {
        return request.method().equals("HEAD") ? 0 : output.bytesSent();
    }

    @Override
    boolean isTunnel() {
        return isTunnel;
    }

    @Override
    RequestMeter.Active describe(long now) {
        ExchangeChannel shown = channel;
        return new RequestMeter.Active(
                request,
                (shown == null ? stream.channel() : shown.connection()).info(),
                now - arrival,
                steps.thread(),
                isTunnel);
    }

    /** Who caused the failure of an exchange: the client, the connection, or the server. */
    private enum FailureKind {
        /** The request is invalid: the response has the status of the exception, and nothing is logged. */
        CLIENT_ERROR,
        /** The connection is broken: no response can be sent. */
        DISCONNECTED,
        /** A handler failed: 500, and an error is logged; 503, and a line a minute, if the process is out of file descriptors. */
        SERVER_ERROR;

        static FailureKind of(Throwable failure, ExchangeOutput output, @Nullable ExchangeInput input) {
            return switch (ResetReason.of(failure)) {
                case PROTOCOL -> CLIENT_ERROR;
                case CANCEL, REFUSED, TIMEOUT -> DISCONNECTED;
                case INTERNAL -> {
                    boolean broken = output.state() == ResponseState.FAILED || input != null && input.isBroken();
                    yield broken ? DISCONNECTED : SERVER_ERROR;
                }
            };
        }

        /** The status of the response. */
        int status(Throwable failure) {
            ProtocolException refusal = ResetReason.find(failure, ProtocolException.class);
            if (refusal != null) {
                return refusal.status();
            }
            return ShortageLogging.isOutOfDescriptors(failure)
                    ? Status.SERVICE_UNAVAILABLE
                    : Status.INTERNAL_SERVER_ERROR;
        }
    }

    /** Listeners for the end of an exchange, called in order. If one throws, that is logged and the others are called. */
    private final class EndListeners {

        private @Nullable Consumer<Outcome> first;

        /** An application's and its servlet's: usually there are no others. */
        private @Nullable Consumer<Outcome> second;

        private List<Consumer<Outcome>> others = List.of();

        void add(Consumer<Outcome> listener) {
            if (first == null) {
                first = listener;
                return;
            }
            if (second == null) {
                second = listener;
                return;
            }
            if (others.isEmpty()) {
                others = new ArrayList<>(2);
            }
            others.add(listener);
        }

        void call(Outcome outcome) {
            if (first != null) {
                call(first, outcome);
            }
            if (second != null) {
                call(second, outcome);
            }
            for (int i = 0; i < others.size(); i++) {
                call(others.get(i), outcome);
            }
        }

        private void call(Consumer<Outcome> listener, Outcome outcome) {
            try {
                listener.accept(outcome);
            } catch (RuntimeException | Error broken) {
                CoreLog.EXCHANGE.endListenerFailed(request.method(), printablePath(), broken);
            }
        }
    }
}
