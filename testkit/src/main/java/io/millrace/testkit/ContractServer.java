package io.millrace.testkit;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.HttpStream;
import io.millrace.protocol.RefusedRequest;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server of the {@link ProtocolContract}: the path selects the behaviour. Works on streams directly, so that a
 * protocol is tested without exchanges.
 */
public final class ContractServer implements Dispatcher {

    private final LinkedBlockingQueue<Runnable> later = new LinkedBlockingQueue<>();
    private volatile boolean mayBlock;
    private volatile boolean reading;
    private volatile @Nullable ContractStream streamed;
    private volatile WeakReference<HttpStream> last = new WeakReference<>(null);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final LinkedBlockingQueue<Integer> refusals = new LinkedBlockingQueue<>();

    @Override
    public void dispatch(RequestHead request, HttpStream stream) {
        mayBlock = stream.channel().mayBlock();
        last = new WeakReference<>(stream);
        switch (request.path().decoded()) {
            case "/hello" -> answer(stream, "hello " + request.query());
            case "/echo" -> read(stream, body -> answer(stream, new ResponseHead(), body));
            case "/length" -> read(stream, body -> answer(stream, Integer.toString(body.length)));
            case "/late" -> answerLater(request, stream);
            case "/busy" -> later.add(() -> answer(stream, "done"));
            case "/early" -> answer(stream, new ResponseHead().status(403), text("not read"));
            case "/stream" -> streamed(request, stream).start(new ResponseHead());
            case "/fixed" ->
                streamed(request, stream).start(new ResponseHead().contentLength(Integer.parseInt(query(request))));
            case "/header" -> {
                String value = request.headers().get("X-Large");
                answer(stream, String.valueOf(value));
            }
            case "/headers" -> {
                ResponseHead head = new ResponseHead();
                head.headers().add("X-Large", "x".repeat(Integer.parseInt(query(request))));
                answer(stream, head, text("large"));
            }
            case "/trailers" -> read(stream, body -> answer(stream, describe(stream.trailers())));
            case "/nothing" -> answer(stream, new ResponseHead().status(204), new byte[0]);
            case "/reset" -> answer(stream, new ResponseHead().status(205), text("not sent"));
            case "/error" -> answer(stream, new ResponseHead().status(500), text("failed"));
            case "/cut" -> cut(stream);
            case "/refused" -> stream.abort(new StreamResetException(ResetReason.REFUSED, "not now"));
            case "/early-hints" -> hint(stream);
            default ->
                answer(
                        stream,
                        new ResponseHead().status(404),
                        text(request.path().decoded()));
        }
    }

    @Override
    public void refused(RefusedRequest request) {
        refusals.add(request.status());
    }

    /** Runs the deferred action on the caller's thread; waits for it with a deadline. */
    public void runLater() throws InterruptedException {
        Runnable next = later.poll(Deadline.DEFAULT.toSeconds(), TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no request was deferred");
        }
        next.run();
    }

    /** Waits with a deadline until a request is deferred. */
    public void awaitDeferred() {
        Deadline.await("a request to be deferred", () -> !later.isEmpty());
    }

    /** Waits with a deadline until a body has been asked for. */
    public void awaitReader() {
        Deadline.await("the body to be read", () -> reading);
    }

    /** Whether the threads of the last request's connection may block. */
    public boolean mayBlock() {
        return mayBlock;
    }

    /** The stream of the last request, as long as something refers to it. */
    public WeakReference<HttpStream> last() {
        return last;
    }

    private ContractStream streamed(RequestHead request, HttpStream stream) {
        ContractStream body = new ContractStream(stream, Integer.parseInt(query(request)), failure::set);
        streamed = body;
        return body;
    }

    /** Waits with a deadline until a streamed response waits for its client. */
    public void awaitBlocked() {
        Deadline.await("a response to wait for its client", () -> {
            ContractStream body = streamed;
            return body != null && body.isBlocked();
        });
    }

    /** Why reading or streaming a body last failed, or why the connection of a deferred request ended; null if neither did. */
    public @Nullable Throwable failure() {
        return failure.get();
    }

    /** The status of the oldest rejection not returned yet; null if there is none. */
    public @Nullable Integer refusal() {
        return refusals.poll();
    }

    /** Behaves like a suspended exchange, which is notified if the client disconnects meanwhile. */
    private void answerLater(RequestHead request, HttpStream stream) {
        stream.onClosed(cause -> failure.set(cause == null ? new IOException("closed") : cause));
        later.add(() -> answer(stream, "late " + request.query()));
    }

    private void read(HttpStream stream, BodyConsumer then) {
        new ContractBody(stream, new ByteArrayOutputStream(), then, thrown -> {
                    failure.set(thrown);
                    stream.abort(thrown);
                })
                .run();
        reading = true;
    }

    private static void cut(HttpStream stream) {
        Payload some = Payload.of(ByteBuffer.wrap(text("some")));
        stream.send(new ResponseHead().contentLength(100), some, false, failed -> stream.abort(null));
    }

    private static void hint(HttpStream stream) {
        Headers link = new Headers().add("Link", "</style.css>; rel=preload");
        stream.inform(103, link, failed -> answer(stream, "hinted"));
    }

    private static void answer(HttpStream stream, String body) {
        answer(stream, new ResponseHead(), text(body));
    }

    private static void answer(HttpStream stream, ResponseHead head, byte[] body) {
        Completion end = failed -> {
            if (failed == null) {
                stream.end();
            } else {
                stream.abort(failed);
            }
        };
        stream.send(head, Payload.of(ByteBuffer.wrap(body)), true, end);
    }

    private static String query(RequestHead request) {
        return request.query() == null ? "" : request.query();
    }

    private static String describe(@Nullable Headers headers) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; headers != null && i < headers.size(); i++) {
            text.append(headers.name(i)).append('=').append(headers.value(i)).append('.');
        }
        return text.toString();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Receives a complete body. */
    interface BodyConsumer {
        void accept(byte[] body);
    }

    /** Reads a body to its end by the rules of {@link HttpStream}, holding no chunk while it waits. */
    private record ContractBody(
            HttpStream stream,
            ByteArrayOutputStream collected,
            ContractServer.BodyConsumer then,
            Consumer<IOException> failed)
            implements Runnable {

        @Override
        public void run() {
            try {
                Chunk chunk = stream.read();
                while (chunk != null && !chunk.isEnd()) {
                    Patterns.append(chunk, collected);
                    chunk = stream.read();
                }
                if (chunk == null) {
                    stream.awaitReadable(this);
                } else {
                    then.accept(collected.toByteArray());
                }
            } catch (IOException e) {
                failed.accept(e);
            }
        }
    }
}
