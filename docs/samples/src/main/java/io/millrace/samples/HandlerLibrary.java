package io.millrace.samples;

import io.millrace.VirtualHost;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.files.FileHandler;
import io.millrace.handler.AllowedMethods;
import io.millrace.handler.BasicAuthentication;
import io.millrace.handler.ConcurrencyLimit;
import io.millrace.handler.Cors;
import io.millrace.handler.EventStream;
import io.millrace.handler.FormHandler;
import io.millrace.handler.JsonHandler;
import io.millrace.handler.PathRouter;
import io.millrace.handler.PathTemplate;
import io.millrace.handler.RateLimit;
import io.millrace.handler.RequestBody;
import io.millrace.handler.RequestTimeout;
import io.millrace.handler.Responses;
import io.millrace.handler.SecurityHeaders;
import io.millrace.handler.ServerEvent;
import io.millrace.rules.Rules;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Handlers that are put before others, and those that read and write formats. */
final class HandlerLibrary {

    private HandlerLibrary() {}

    static HttpHandler cors(HttpHandler api) {
        // tag::cors
        Cors cors = Cors.builder()
                .origins("https://www.example.com", "https://test.example.com:8443")
                .methods("GET", "HEAD", "POST", "PUT")
                .headers("Content-Type", "Authorization")
                .exposed("X-Total-Count") // what scripts may read of the response
                .credentials(true) // cookies; refused together with the origin "*"
                .maxAge(Duration.ofHours(1)) // of the answer to a preflight request
                .build();
        HttpHandler open = cors.wrap(api);
        // end::cors
        return open;
    }

    static HttpHandler rateLimit(HttpHandler api) {
        // tag::rate-limit
        HttpHandler limited = RateLimit.of(20, Duration.ofSeconds(1)).wrap(api);
        // end::rate-limit
        return limited;
    }

    static HttpHandler queue(HttpHandler report) {
        // tag::queue
        HttpHandler queued =
                ConcurrencyLimit.queueing(4, 100, Duration.ofSeconds(1)).wrap(report);
        // end::queue
        return queued;
    }

    static HttpHandler security(HttpHandler site) {
        // tag::security-headers
        HttpHandler safe = SecurityHeaders.DEFAULTS
                .with("Content-Security-Policy", "default-src 'self'")
                .without("X-Frame-Options") // the policy says it better
                .wrap(site);
        // end::security-headers
        return safe;
    }

    static HttpHandler methods(HttpHandler site) {
        // tag::methods
        HttpHandler readOnly = AllowedMethods.of("GET").wrap(site); // HEAD too; OPTIONS is answered
        // end::methods
        return readOnly;
    }

    static HttpHandler timeout(HttpHandler site) {
        // tag::timeout
        HttpHandler bounded = RequestTimeout.of(Duration.ofSeconds(30)).wrap(site);
        // end::timeout
        return bounded;
    }

    static HttpHandler login(BasicAuthentication.Users users) {
        // tag::basic
        HttpHandler secret = BasicAuthentication.of("Shop", users) // (name, password) -> User, or null
                .withRoles("admin")
                .wrap(exchange -> Responses.text(exchange, 200, "Hello, " + BasicAuthentication.user(exchange) + "\n"));
        // end::basic
        return secret;
    }

    static PathRouter parameters() {
        // tag::template
        PathRouter router = PathRouter.builder()
                .template("GET", "/orders/{id}/items/{item}", exchange -> {
                    String id = PathTemplate.parameters(exchange).get("id");
                    Responses.text(exchange, 200, "Order " + id + "\n");
                })
                .template(
                        "/files/*",
                        files -> Responses.text(
                                files, 200, files.request().path().decoded()))
                .build();
        // end::template
        return router;
    }

    static HttpHandler form() {
        // tag::form
        FormHandler form = FormHandler.of((exchange, fields) -> {
            Responses.text(exchange, 200, fields.get("name") + " likes " + fields.all("colour") + "\n");
        });
        // end::form
        return form;
    }

    static HttpHandler json() {
        // tag::json
        JsonHandler orders = JsonHandler.of((exchange, text) -> {
                    Responses.json(exchange, 201, text); // bind it with the library of your choice
                })
                .maxBytes(64 * 1024)
                .maxDepth(16);
        // end::json
        return orders;
    }

    static HttpHandler body() {
        // tag::body
        HttpHandler upload = RequestBody.upTo(1_000_000, (exchange, bytes) -> {
            Responses.text(exchange, 200, bytes.length + " bytes\n");
        });
        // end::body
        return upload;
    }

    /** Tells everybody who listens. */
    static final class News {
        // tag::events
        private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();

        /** The handler of {@code GET /events}. */
        NonBlockingHandler events() {
            return exchange -> {
                EventStream stream = EventStream.open(exchange);
                streams.add(stream);
                stream.onClose(() -> streams.remove(stream));
            };
        }

        /** On any thread. */
        void publish(String text, long number) {
            ServerEvent event = ServerEvent.of(text).named("news").withId(Long.toString(number));
            for (EventStream stream : streams) {
                if (!stream.send(event)) {
                    stream.close(); // too slow: it comes back with stream.lastEventId()
                }
            }
        }
        // end::events

        int listeners() {
            return streams.size();
        }

        boolean isAnyClosed() {
            return streams.stream().anyMatch(EventStream::isClosed);
        }
    }

    static VirtualHost rules(HttpHandler site) {
        // tag::rules
        Rules rules = Rules.parse("path-prefix(/api) -> rate-limit(20/s)\nsecurity-headers");
        VirtualHost host = VirtualHost.named("localhost").handler(site).before(rules::before);
        // end::rules
        return host;
    }

    static FileHandler singlePage(Path directory) throws IOException {
        // tag::single-page
        FileHandler site =
                FileHandler.builder(directory).singlePage("/index.html").build();
        // end::single-page
        return site;
    }
}
