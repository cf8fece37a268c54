package io.millrace.samples;

import static io.millrace.ConnectorOptions.BIND_ON_INIT;
import static io.millrace.ConnectorOptions.PROXY_NAME;
import static io.millrace.ConnectorOptions.PROXY_PORT;
import static io.millrace.ConnectorOptions.SCHEME;
import static io.millrace.ConnectorOptions.SECURE;
import static io.millrace.ConnectorOptions.THROW_ON_FAILURE;
import static io.millrace.ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH;
import static io.millrace.ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH_PERMISSIONS;
import static io.millrace.ConnectorOptions.USE_INHERITED_CHANNEL;
import static io.millrace.http1.Http1Options.CONTINUE_TIMING;
import static io.millrace.http1.Http1Options.KEEP_ALIVE_HEADER;
import static io.millrace.http1.Http1Options.MAX_EXTENSION_SIZE;
import static io.millrace.http1.Http1Options.MAX_KEEP_ALIVE_REQUESTS;
import static io.millrace.http1.Http1Options.MAX_SWALLOW_SIZE;
import static io.millrace.http1.Http1Options.REJECT_ILLEGAL_HEADER;
import static io.millrace.http1.Http1Options.UPLOAD_TIMEOUT;
import static io.millrace.io.TransportOptions.ACCEPT_COUNT;
import static io.millrace.io.TransportOptions.IO_THREADS;
import static io.millrace.io.TransportOptions.LOOP;
import static io.millrace.io.TransportOptions.MAX_CONNECTIONS;
import static io.millrace.io.TransportOptions.MAX_THREADS;
import static io.millrace.io.TransportOptions.RECEIVE_BUFFER;
import static io.millrace.io.TransportOptions.SEND_BUFFER;
import static io.millrace.io.TransportOptions.SO_KEEP_ALIVE;
import static io.millrace.io.TransportOptions.SO_LINGER;
import static io.millrace.io.TransportOptions.SO_REUSE_ADDRESS;
import static io.millrace.io.TransportOptions.TCP_NO_DELAY;
import static io.millrace.io.TransportOptions.THREADS;
import static io.millrace.protocol.HttpOptions.ALLOWED_TRAILER_HEADERS;
import static io.millrace.protocol.HttpOptions.ALLOW_HALF_CLOSE;
import static io.millrace.protocol.HttpOptions.ALLOW_HOST_HEADER_MISMATCH;
import static io.millrace.protocol.HttpOptions.MAX_REQUEST_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_RESPONSE_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_TRAILER_SIZE;
import static io.millrace.protocol.HttpOptions.RELAXED_PATH_CHARS;
import static io.millrace.protocol.HttpOptions.RELAXED_QUERY_CHARS;
import static io.millrace.protocol.HttpOptions.SERVER;
import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.ENCODED_SOLIDUS_HANDLING;
import static io.millrace.protocol.ProtocolOptions.KEEP_ALIVE_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static io.millrace.protocol.ProtocolOptions.URI_ENCODING;

import io.millrace.Application;
import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.ServerContext;
import io.millrace.VirtualHost;
import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpHandler;
import io.millrace.forwarded.RemoteIp;
import io.millrace.handler.AccessLog;
import io.millrace.handler.MetricsHandler;
import io.millrace.handler.PathRouter;
import io.millrace.handler.Responses;
import io.millrace.http.EncodedSlash;
import io.millrace.http1.ContinueTiming;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions.Threads;
import io.millrace.io.TransportProvider;
import io.millrace.metrics.Metrics;
import io.millrace.net.AddressSet;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.rewrite.RewriteRules;
import io.millrace.workers.VirtualWorkers;
import io.millrace.workers.WorkerPool;
import io.millrace.workers.Workers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The embedding API in the guide. */
final class Embedding {

    private Embedding() {}

    static Server connectors() throws IOException {
        // tag::connectors
        Connector open = Connector.builder().port(0).build();
        Connector admin = Connector.builder()
                .name("admin") // in thread names and log lines
                .transport("nio")
                .address("127.0.0.1") // all addresses otherwise
                .port(0)
                .build();

        Server server = Server.builder()
                .connector(open)
                .connector(admin)
                .handler(exchange -> Responses.text(exchange, 200, "Hello!\n"))
                .start();

        List<Integer> ports = server.ports(); // in the order of the connectors
        SocketAddress local = server.addresses().get(1);
        // end::connectors
        if (ports.size() != 2
                || !(local instanceof InetSocketAddress inet)
                || !inet.getAddress().isLoopbackAddress()) {
            throw new AssertionError(ports + " " + local);
        }
        return server;
    }

    static Connector sockets() {
        // tag::sockets
        Connector connector = Connector.builder()
                .port(0)
                .with(IO_THREADS, 2) // threads that poll connections; 0: one per processor
                .with(LOOP, "selector") // nio: their event loop; "xnio" otherwise
                .with(ACCEPT_COUNT, 200) // the listen backlog
                .with(MAX_CONNECTIONS, 10_000) // at the limit accepting pauses, no connection is refused; -1: no limit
                .with(TCP_NO_DELAY, true)
                .with(SO_KEEP_ALIVE, false)
                .with(SO_REUSE_ADDRESS, true)
                .with(SO_LINGER, -1) // seconds; -1: the system's default
                .with(SEND_BUFFER, 64 * 1024) // bytes; 0: the system's default
                .with(RECEIVE_BUFFER, 0)
                .build();
        // end::sockets
        return connector;
    }

    static Connector threads(Workers own, AttributeKey<String> tenant) {
        // tag::threads
        Connector connector = Connector.builder()
                .transport("bio")
                .port(0)
                .with(THREADS, Threads.PLATFORM) // bio's; virtual by default on Java 21 and later
                .with(MAX_THREADS, 50) // at most so many, unless they are virtual
                .workers(own) // runs what may block on nio and nio2, instead of the server's workers
                .attribute(tenant, "north") // found by handlers among each exchange's attributes
                .summary("the partners' port") // in the log, when it listens
                .with(THROW_ON_FAILURE, false) // the server starts even if this port is taken
                .with(BIND_ON_INIT, true) // clients that connect while applications start are not refused, but wait
                .build();
        // end::threads
        return connector;
    }

    static Connector unixSocket(Path file) {
        // tag::unix
        Connector connector = Connector.builder()
                .with(UNIX_DOMAIN_SOCKET_PATH, file) // nio only
                .with(UNIX_DOMAIN_SOCKET_PATH_PERMISSIONS, PosixFilePermissions.fromString("rw-------"))
                .build();
        // end::unix
        return connector;
    }

    static Connector inherited() {
        // tag::inherited
        Connector connector =
                Connector.builder().with(USE_INHERITED_CHANNEL, true).build(); // nio only
        // end::inherited
        return connector;
    }

    static Connector http1() {
        // tag::http1
        Connector connector = Connector.builder()
                .port(0)
                .with(CONNECTION_TIMEOUT, Duration.ofSeconds(20))
                .with(KEEP_ALIVE_TIMEOUT, Duration.ofSeconds(75)) // the connection timeout otherwise
                .with(UPLOAD_TIMEOUT, Duration.ofMinutes(5)) // each wait for a request's body
                .with(MAX_KEEP_ALIVE_REQUESTS, -1) // requests on one connection; -1: no limit
                .with(MAX_REQUEST_HEADER_SIZE, 16 * 1024)
                .with(MAX_RESPONSE_HEADER_SIZE, 16 * 1024)
                .with(MAX_HEADER_COUNT, 200)
                .with(MAX_TRAILER_SIZE, 4096)
                .with(ALLOWED_TRAILER_HEADERS, Set.of("Digest")) // all otherwise
                .with(MAX_EXTENSION_SIZE, 1024)
                .with(MAX_SWALLOW_SIZE, 1024 * 1024L)
                .with(ENCODED_SOLIDUS_HANDLING, EncodedSlash.REJECT)
                .with(RELAXED_PATH_CHARS, "[]|")
                .with(RELAXED_QUERY_CHARS, "[]|{}")
                .with(URI_ENCODING, StandardCharsets.UTF_8)
                .with(ALLOW_HOST_HEADER_MISMATCH, false)
                .with(REJECT_ILLEGAL_HEADER, true)
                .with(ALLOW_HALF_CLOSE, false) // a half-closed connection is treated as closed
                .with(CONTINUE_TIMING, ContinueTiming.ON_READ)
                .with(KEEP_ALIVE_HEADER, true) // Keep-Alive: timeout=75
                .with(SERVER, "my server") // the Server header; none otherwise
                .build();
        // end::http1
        return connector;
    }

    static Connector proxyProtocol() {
        // tag::proxy-protocol
        Connector connector = Connector.builder()
                .port(0)
                .with(ProxyProtocol.PRESENCE, ProxyProtocol.Presence.REQUIRED)
                .with(ProxyProtocol.TRUSTED, AddressSet.parse("10.0.0.0/8"))
                .build();
        // end::proxy-protocol
        return connector;
    }

    static Server forwarded(AddressSet frontEnds) throws IOException {
        // tag::forwarded
        Server server = Server.builder()
                .port(0)
                .forwarded(RemoteIp.trusting(frontEnds)) // or ForwardedField.trusting(frontEnds)
                .handler(exchange ->
                        Responses.text(exchange, 200, exchange.request().scheme()))
                .start();
        // end::forwarded
        return server;
    }

    static Connector behindProxy() {
        // tag::proxy
        Connector connector = Connector.builder()
                .port(0)
                .with(SCHEME, "https") // the front end terminates TLS
                .with(SECURE, true)
                .with(PROXY_NAME, "www.example.org")
                .with(PROXY_PORT, 443)
                .build();
        // end::proxy
        return connector;
    }

    static Server hosts(Application shop, HttpHandler blog) throws IOException {
        // tag::hosts
        VirtualHost shopHost =
                VirtualHost.named("shop.example.org", "www.shop.example.org").application(shop);
        VirtualHost blogHost = VirtualHost.named("blog.example.org", "*.blog.example.org")
                .handler(blog)
                .accessLog(AccessLog.builder().open());

        Server server = Server.builder()
                .port(0)
                .virtualHost(shopHost)
                .virtualHost(blogHost)
                .defaultHost("shop.example.org") // serves all other names
                .start();
        // end::hosts
        if (!shopHost.name().equals("shop.example.org") || blogHost.aliases().size() != 1) {
            throw new AssertionError();
        }
        return server;
    }

    static VirtualHost rewritten(Application shop) {
        // tag::rewrite
        RewriteRules rules =
                RewriteRules.parse("RewriteRule ^/old/(.*) /shop/$1 [R=301,L]", Path.of("."), RewriteRules.NO_CLASSES);
        VirtualHost host = VirtualHost.named("localhost").application(shop).rewrite(rules);
        // end::rewrite
        return host;
    }

    // tag::application
    /** Counts its visitors. */
    static final class Counter implements Application {

        private int visitors;

        @Override
        public String contextPath() {
            return "/counter";
        }

        @Override
        public HttpHandler start(ServerContext server) {
            return exchange -> Responses.text(exchange, 200, next() + "\n");
        }

        @Override
        public void stop() {
            System.out.println("Visitors: " + visitors);
        }

        private synchronized int next() {
            return ++visitors;
        }
    }
    // end::application

    static Server applications(Application counter, Application fragile) throws IOException {
        // tag::applications
        Server server = Server.builder()
                .port(0)
                .application(counter)
                .application(fragile)
                .failFast(false) // true: start() throws if an application does not start
                .start();
        server.failures()
                .forEach((application, reason) -> System.err.println(application.contextPath() + ": " + reason));
        // end::applications
        return server;
    }

    static void change(Server server, Application counter, Application better) throws Exception {
        // tag::change
        server.deploy(counter); // serves requests once this returns; deploy("host", …) for another host
        server.replace(counter, better, Duration.ofSeconds(30)); // at the same path, whose requests wait meanwhile
        server.undeploy(better, Duration.ofSeconds(30)); // how long running requests may take
        // end::change
    }

    static Server resources() throws IOException {
        // tag::resources
        Server server = Server.builder()
                .port(0)
                .maxThreads(100) // requests that may block at once
                .minSpareThreads(5)
                .bufferPoolSize(64 * 1024 * 1024) // bytes of direct memory, at most
                .outputLimit(256 * 1024) // bytes that a response may buffer for a slow client
                .handler(exchange -> Responses.text(exchange, 200, "Hello!\n"))
                .start();
        // end::resources
        return server;
    }

    static Server virtualThreads() throws IOException {
        // tag::virtual-threads
        Server server = Server.builder()
                .port(0)
                .workers(new VirtualWorkers("app")) // Java 21 and later
                .handler(exchange ->
                        Responses.text(exchange, 200, Thread.currentThread().toString()))
                .start();
        // end::virtual-threads
        return server;
    }

    static Server ownWorkers(WorkerPool pool, Timers timers) throws IOException {
        // tag::workers
        Server first = Server.builder()
                .port(0)
                .workers(pool) // shared with others; the server closes neither
                .timers(timers)
                .handler(exchange ->
                        Responses.text(exchange, 200, Thread.currentThread().getName()))
                .start();
        // end::workers
        return first;
    }

    static Server errors() throws IOException {
        // tag::errors
        Server server = Server.builder()
                .port(0)
                .errors((exchange, status, failure) -> {
                    exchange.response().headers().set("Content-Type", "text/plain");
                    return Payload.of(StandardCharsets.UTF_8.encode("Sorry: " + status + "\n"));
                })
                .start();
        // end::errors
        return server;
    }

    static Server ownTransport(TransportProvider provider) throws IOException {
        // tag::transport
        Server server = Server.builder()
                .transport(provider) // found by its name, before those of the class path
                .connector(
                        Connector.builder().transport(provider.name()).port(0).build())
                .handler(exchange -> Responses.text(exchange, 200, "Hello!\n"))
                .start();
        // end::transport
        return server;
    }

    static Server health() throws IOException {
        // tag::health
        Server server = Server.builder()
                .port(0)
                .health("/health")
                .drainDelay(Duration.ofSeconds(5)) // keep accepting until load balancers have noticed
                .handler(exchange -> Responses.text(exchange, 200, "Hello!\n"))
                .start();
        // end::health
        return server;
    }

    static Server metrics() throws IOException {
        // tag::metrics
        Metrics metrics = new Metrics();
        Server server = Server.builder()
                .port(0)
                .metrics(metrics)
                .handler(PathRouter.builder()
                        .exact("/metrics", new MetricsHandler(metrics))
                        .otherwise(exchange -> Responses.text(exchange, 200, "Hello!\n"))
                        .build())
                .start();
        // end::metrics
        return server;
    }

    static void stop(Server server) {
        // tag::stop
        server.stop(Duration.ofSeconds(30));
        // end::stop
    }

    static void main(Server running) {
        // tag::main
        try (Server server = running) {
            server.awaitStop(); // until another thread stops it, or this one is interrupted
            System.out.println(server.isRunning() ? "interrupted" : "stopped");
        } // closing an open server stops it with a grace of ten seconds
        // end::main
    }
}
