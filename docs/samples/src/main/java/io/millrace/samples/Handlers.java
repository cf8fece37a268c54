package io.millrace.samples;

import io.millrace.Connector;
import io.millrace.compression.Compression;
import io.millrace.compression.CompressionMode;
import io.millrace.compression.RequestDecompression;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.Suspension;
import io.millrace.exchange.TunnelHandler;
import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.files.CacheLimits;
import io.millrace.files.FileHandler;
import io.millrace.files.Precompressed;
import io.millrace.files.SymbolicLinks;
import io.millrace.handler.AccessLog;
import io.millrace.handler.HealthHandler;
import io.millrace.handler.HostRouter;
import io.millrace.handler.PathRouter;
import io.millrace.handler.RedirectHandler;
import io.millrace.handler.Responses;
import io.millrace.http.Headers;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The server's handlers, and how to write one. */
final class Handlers {

    private Handlers() {}

    static HttpHandler blocking() {
        // tag::blocking
        HttpHandler echo = exchange -> {
            InputStream body = ExchangeInputStream.of(exchange); // waits for the client: we are on a worker
            exchange.response().headers().set("Content-Type", "text/plain;charset=utf-8");
            body.transferTo(ExchangeOutputStream.of(exchange));
        };
        // end::blocking
        return echo;
    }

    static NonBlockingHandler nonBlocking() {
        // tag::non-blocking
        NonBlockingHandler ping = exchange -> Responses.text(exchange, 200, "pong\n");
        // end::non-blocking
        return ping;
    }

    static NonBlockingHandler dispatching(HttpHandler report) {
        // tag::dispatch
        NonBlockingHandler gate = exchange -> {
            if (exchange.request().headers().contains("Authorization")) {
                exchange.dispatch(report); // on a worker if it may block, after this handler has returned
            } else {
                Responses.error(exchange, 401);
            }
        };
        // end::dispatch
        return gate;
    }

    /** Calls back later, on a thread of its own, with a text or a failure. */
    interface Weather {
        void ask(BiConsumer<@Nullable String, @Nullable Throwable> answer);
    }

    static NonBlockingHandler suspending(Weather weather) {
        // tag::suspend
        NonBlockingHandler handler = exchange -> {
            Suspension pending = exchange.suspend(Duration.ofSeconds(2), late -> Responses.error(late, 504));
            weather.ask((text, failure) -> {
                if (text != null) {
                    pending.resume(resumed -> Responses.text(resumed, 200, text));
                } else {
                    pending.fail(new IOException("no weather today", failure));
                }
            });
        };
        // end::suspend
        return handler;
    }

    static HttpHandler placed(HttpHandler report, Executor executor) {
        // tag::placed
        HttpHandler placed = report.on(executor); // on threads of your own, wherever it is used
        // end::placed
        return placed;
    }

    static HttpHandler early(HttpHandler page) {
        // tag::inform
        HttpHandler early = exchange -> {
            exchange.output().inform(103, new Headers().add("Link", "</style.css>; rel=preload; as=style"));
            exchange.dispatch(page); // slow; meanwhile the client fetches the style sheet
        };
        // end::inform
        return early;
    }

    static HttpHandler upgrading() {
        // tag::tunnel
        TunnelHandler echo = new TunnelHandler() {
            @Override
            public void handle(HttpExchange tunnel) throws IOException {
                InputStream in = ExchangeInputStream.of(tunnel);
                OutputStream out = ExchangeOutputStream.of(tunnel);
                byte[] bytes = new byte[8192];
                for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                    out.write(bytes, 0, count);
                    out.flush();
                }
            }

            @Override
            public Duration idleTimeout() {
                return Duration.ofMinutes(5);
            }
        };
        HttpHandler upgrade = exchange -> {
            exchange.response().headers().set("Upgrade", "echo");
            exchange.tunnel(echo); // sends 101; echo owns the connection after this handler has returned
        };
        // end::tunnel
        return upgrade;
    }

    static HttpHandler responses() {
        // tag::responses
        PathRouter router = PathRouter.builder()
                .exact("/text", exchange -> Responses.text(exchange, 200, "Grüße\n"))
                .exact("/html", exchange -> Responses.html(exchange, 200, "<p>Hello"))
                .exact("/json", exchange -> Responses.json(exchange, 201, "{\"id\": 7}"))
                .exact("/bytes", exchange -> Responses.bytes(exchange, 200, "image/gif", new byte[43]))
                .exact("/empty", exchange -> Responses.empty(exchange, 204))
                .exact("/old", exchange -> Responses.redirect(exchange, 301, "/text"))
                .exact("/gone", exchange -> Responses.error(exchange, 410))
                .build();
        // end::responses
        return router;
    }

    static HttpHandler paths(HttpHandler list, HttpHandler create, HttpHandler one, HttpHandler rest) {
        // tag::paths
        PathRouter router = PathRouter.builder()
                .exact("GET", "/orders", list) // HEAD too; OPTIONS and 405 follow from what is here
                .exact("POST", "/orders", create)
                .prefix("GET", "/orders", one) // /orders/7, not /ordersheet
                .prefix("/health", HealthHandler.of(() -> true))
                .otherwise(rest) // 404 otherwise
                .build();
        // end::paths
        return router;
    }

    static NonBlockingHandler below() {
        // tag::below
        NonBlockingHandler one = exchange -> {
            String id = PathRouter.below(exchange).substring(1); // the path without /orders
            Responses.text(exchange, 200, "Order " + id + "\n");
        };
        // end::below
        return one;
    }

    static HttpHandler hosts(HttpHandler shop, HttpHandler blogs, HttpHandler unknown) {
        // tag::hosts
        HostRouter router = HostRouter.builder()
                .host(shop, "shop.example.org", "www.shop.example.org")
                .host(blogs, "*.blog.example.org")
                .otherwise(unknown) // 404 otherwise
                .build();
        // end::hosts
        return router;
    }

    static HttpHandler files(Path directory) throws IOException {
        // tag::files
        FileHandler files = FileHandler.builder(directory)
                .indexFiles("index.html", "index.htm")
                .contentType("proto", "text/plain")
                .charset(StandardCharsets.UTF_8) // of text files; otherwise none is named
                .symbolicLinks(SymbolicLinks.INSIDE) // or REFUSED, or FOLLOWED, to any target
                .precompressed(new Precompressed("br", ".br"), new Precompressed("gzip", ".gz"))
                .ranges(true)
                .listings(false) // of directories without an index file
                .cache(CacheLimits.DEFAULTS.withFreshness(Duration.ofSeconds(5)))
                .build();
        PathRouter router = PathRouter.builder().prefix("/static", files).build();
        // end::files
        return router;
    }

    static FileHandler plainFiles(Path directory) throws IOException {
        // tag::plain-files
        FileHandler files = FileHandler.of(directory);
        // end::plain-files
        return files;
    }

    static CacheLimits cacheLimits() {
        // tag::cache-limits
        CacheLimits limits = CacheLimits.DEFAULTS
                .withBytes(256 << 20, 4 << 20) // in memory, and at most for one file
                .withFiles(1000, 100_000) // kept open, and known
                .withAdmission(2) // accesses until a file is cached
                .withFreshness(Duration.ofSeconds(10))
                .withWatching(true); // the system notifies of changes
        // end::cache-limits
        return limits;
    }

    static HttpHandler compression(HttpHandler next) {
        // tag::compression
        Connector compressing = Connector.builder()
                .port(8080)
                .with(Compression.MODE, CompressionMode.ON)
                .with(Compression.MIN_SIZE, 1024)
                .build();
        Settings settings = Settings.DEFAULTS
                .with(Compression.MODE, CompressionMode.ON)
                .with(Compression.CODINGS, Set.of("br", "gzip")) // of those available; all of them otherwise
                .with(Compression.COMPRESSIBLE_MIME_TYPE, Set.of("text/", "application/json"))
                .with(Compression.NO_COMPRESSION_USER_AGENTS, Pattern.compile(".*MSIE 6.*"));
        HttpHandler handler = Compression.of(settings).wrap(next);
        // end::compression
        return compressing.port() == 8080 ? handler : next;
    }

    static NonBlockingHandler decompression(HttpHandler next) {
        // tag::decompression
        Connector decompressing = Connector.builder()
                .port(8080)
                .with(RequestDecompression.MAX_SIZE, 10L << 20) // bytes, decompressed
                .build();
        NonBlockingHandler handler = RequestDecompression.upTo(10 << 20).wrap(next);
        // end::decompression
        return decompressing.port() == 8080
                ? handler
                : RequestDecompression.upTo(0).wrap(handler);
    }

    static HttpHandler redirects() {
        // tag::redirects
        PathRouter router = PathRouter.builder()
                .exact("/start", RedirectHandler.to(302, "/index.html"))
                .otherwise(RedirectHandler.toSameTarget(308, "https://www.example.org"))
                .build();
        // end::redirects
        return router;
    }

    static HttpHandler health(BooleanSupplier database) {
        // tag::health
        HealthHandler health = HealthHandler.of(() -> true).with("database", database);
        // end::health
        return health;
    }

    static AccessLog accessLog(Path directory) throws IOException {
        // tag::access-log
        AccessLog log = AccessLog.builder()
                .pattern("combined")
                .directory(directory) // standard output otherwise
                .prefix("access_log")
                .suffix(".txt")
                .fileDateFormat(".yyyy-MM-dd") // one file a day
                .renameOnRotate(false) // the date is in the name from the start
                .maxDays(30) // older files are deleted
                .checkExists(true) // reopen the file if it was moved away
                .queueSize(16_384)
                .blockWhenFull(false) // drop lines, and count them, rather than wait for the disk
                .flushInterval(Duration.ofSeconds(1))
                .open();
        // end::access-log
        return log;
    }

    static HttpHandler logged(AccessLog log, HttpHandler handler) {
        // tag::logged
        HttpHandler logged = log.wrap(handler);
        // end::logged
        return logged;
    }

    static NonBlockingHandler user() {
        // tag::user
        NonBlockingHandler handler = exchange -> {
            exchange.attributes().put(AccessLog.USER, "alice"); // what %u writes
            Responses.text(exchange, 200, "Hello, Alice\n");
        };
        // end::user
        return handler;
    }

    static HttpHandler timed() {
        // tag::on-end
        HttpHandler handler = exchange -> {
            exchange.onEnd(outcome -> System.out.println(outcome.status() + " in " + outcome.nanos() + " ns"));
            ExchangeOutputStream.of(exchange).write("Hello!\n".getBytes(StandardCharsets.UTF_8));
        };
        // end::on-end
        return handler;
    }
}
