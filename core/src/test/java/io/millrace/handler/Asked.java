package io.millrace.handler;

import io.millrace.exchange.ExchangeDispatcher;
import io.millrace.exchange.ExchangeOptions;
import io.millrace.exchange.HttpHandler;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.io.Timers;
import io.millrace.workers.Workers;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A request to a handler through a real exchange, on the test's thread. */
public final class Asked {

    private static final Workers HERE = new Workers() {
        @Override
        public boolean isWorker() {
            return true;
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }
    };

    private final String method;
    private final String path;
    private final @Nullable String query;
    private final Headers headers = new Headers();
    private @Nullable String authority = "localhost";
    private @Nullable String tlsServerName;
    private long contentLength;
    private Workers workers = HERE;

    private Asked(String method, String target) {
        this.method = method;
        int mark = target.indexOf('?');
        path = mark < 0 ? target : target.substring(0, mark);
        query = mark < 0 ? null : target.substring(mark + 1);
    }

    public static Asked get(String target) {
        return new Asked("GET", target);
    }

    public static Asked with(String method, String target) {
        return new Asked(method, target);
    }

    public Asked header(String name, String value) {
        headers.add(name, value);
        return this;
    }

    public Asked host(@Nullable String value) {
        authority = value;
        return this;
    }

    /** With a body that is announced, but never read. */
    public Asked contentLength(long value) {
        contentLength = value;
        return header("Content-Length", Long.toString(value));
    }

    /** Over TLS with this name in the handshake; null for none. */
    public Asked tlsServerName(@Nullable String value) {
        tlsServerName = value;
        return this;
    }

    /** On a thread that must not block; tasks for workers are counted, and run on the same thread. */
    public Asked counting(AtomicInteger tasks) {
        workers = new Workers() {
            @Override
            public boolean isWorker() {
                return false;
            }

            @Override
            public void execute(Runnable task) {
                tasks.incrementAndGet();
                task.run();
            }
        };
        return this;
    }

    /** On a thread that must not block, with these workers. */
    public Asked on(Workers those) {
        workers = those;
        return this;
    }

    public MemoryStream of(HttpHandler handler) {
        try (Timers timers = new Timers("test")) {
            return of(handler, timers);
        }
    }

    /** With these timers, which are not closed. */
    public MemoryStream of(HttpHandler handler, Timers timers) {
        MemoryStream stream = new MemoryStream(tlsServerName);
        String target = query == null ? path : path + "?" + query;
        RequestHead head = new RequestHead(
                method,
                target,
                new RequestPath(path, path, null),
                query,
                HttpVersion.HTTP_1_1,
                "http",
                authority,
                headers,
                contentLength);
        ExchangeOptions options = new ExchangeOptions(ExchangeOptions.defaults().outputLimit(), new ErrorPages());
        new ExchangeDispatcher(handler, workers, timers, options).dispatch(head, stream);
        return stream;
    }
}
