package io.millrace.standalone.admin;

import io.millrace.compression.Compression;
import io.millrace.compression.CompressionMode;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.handler.Json;
import io.millrace.handler.MetricsHandler;
import io.millrace.handler.Responses;
import io.millrace.http.Authority;
import io.millrace.http.BasicCredentials;
import io.millrace.http.Headers;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.identity.StoreUnavailableException;
import io.millrace.settings.Settings;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Administration by HTTP, at a port or a socket of its own: {@code /health/live}, {@code /health/ready}, {@code /metrics}, {@code
 * /connections}, {@code /threads}, {@code /manager/…}. What needs no user is answered on the I/O thread, so that it is answered whatever else hangs; but
 * for {@code /metrics}, which ask pools of applications.
 */
public final class AdminHandler implements NonBlockingHandler {

    /** One of these roles is needed to look. */
    private static final Set<String> LOOKING = Set.of("manager-gui", "manager-script", "manager-status", "manager-jmx");

    /** This one to change something. */
    private static final String CHANGING = "manager-script";

    /** Of requests that a page of a browser has caused. Each browser sends the last one, also for images of a page without TLS. */
    private static final List<String> BROWSERS = List.of("Origin", "Referer", "Sec-Fetch-Site", "Accept-Language");

    private final AdminRoot root;
    private final Samples samples;
    private final Reports reports;
    private final ManagerCommands commands;
    private final HttpHandler metrics;
    private final @Nullable IdentityStore users;
    private final boolean isSocket;

    /**
     * @param users who may administer; null for everyone who reaches the door
     * @param isSocket whether only the server's own user reaches it
     */
    public AdminHandler(AdminRoot root, Samples samples, @Nullable IdentityStore users, boolean isSocket) {
        this.root = root;
        this.samples = samples;
        this.users = users;
        this.isSocket = isSocket;
        reports = new Reports(root, samples);
        commands = new ManagerCommands(root, reports, isSocket);
        metrics = Compression.of(Settings.DEFAULTS.with(Compression.MODE, CompressionMode.ON))
                .wrap(new MetricsHandler(root.metrics()));
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        String path = exchange.request().path().raw();
        Headers headers = exchange.request().headers();
        IdentityStore store = users;
        exchange.response().headers().set("Cache-Control", "no-store");
        exchange.response().headers().set("X-Content-Type-Options", "nosniff");
        if (path.equals("/health/live")) {
            Responses.json(exchange, 200, "{\"status\":\"UP\"}\n");
        } else if (path.equals("/health/ready")) {
            ready(exchange);
        } else if (BROWSERS.stream().anyMatch(headers::contains)
                || !isAddressed(exchange.request().authority())) {
            Responses.text(
                    exchange,
                    403,
                    "The administration is not for pages of a browser; use the commands, curl, or /manager/html of Tomcat's manager.\n");
        } else if (store != null) {
            BasicCredentials credentials = BasicCredentials.parse(headers.get("Authorization"));
            if (credentials == null) {
                challenge(exchange); // here: it must not keep a worker from those who have a password
            } else {
                Proof proof = new Proof.Password(credentials.name(), credentials.password());
                HttpHandler blocking = next -> asUser(next, store, proof);
                exchange.dispatch(blocking);
            }
        } else {
            serve(exchange);
        }
    }

    /** A name that a page chose, which its name server has given this address, is no address of this server. */
    private boolean isAddressed(@Nullable String authority) {
        if (isSocket || users != null || authority == null) {
            return true;
        }
        String host = Authority.nameOf(authority);
        return host != null && (host.equals("localhost") || host.startsWith("[") || host.matches("[0-9.]+"));
    }

    private void ready(HttpExchange exchange) {
        List<String> checks = new ArrayList<>();
        String notServing = root.notServing();
        boolean up = notServing == null;
        checks.add(check("server", notServing));
        List<String> exhausted = samples.exhausted();
        up &= exhausted.isEmpty();
        checks.add(check("threads", exhausted.isEmpty() ? null : String.join("; ", exhausted)));
        List<String> stores = root.failingStores();
        up &= stores.isEmpty();
        checks.add(check("sessions", stores.isEmpty() ? null : String.join("; ", stores)));
        String applications = root.unavailable().stream()
                .map(name -> "{\"name\":" + Json.quote(name) + ",\"status\":\"DOWN\"}")
                .collect(Collectors.joining(","));
        Responses.json(
                exchange,
                up ? 200 : 503,
                "{\"status\":\"" + (up ? "UP" : "DOWN") + "\",\"checks\":[" + String.join(",", checks)
                        + "],\"applications\":[" + applications + "]}\n");
    }

    private static String check(String name, @Nullable String cause) {
        return "{\"name\":\"" + name + "\",\"status\":"
                + (cause == null ? "\"UP\"}" : "\"DOWN\",\"cause\":" + Json.quote(cause) + "}");
    }

    /** On a worker, as a Realm may ask other servers. */
    private void asUser(HttpExchange exchange, IdentityStore store, Proof credentials) throws Exception {
        Identity user;
        try {
            user = store.verify(credentials);
        } catch (StoreUnavailableException unavailable) {
            Responses.text(exchange, 503, "The Realm cannot verify users now.\n");
            return;
        }
        boolean changes = exchange.request().path().raw().startsWith("/manager/");
        if (user == null) {
            challenge(exchange);
        } else if (changes
                ? !user.roles().contains(CHANGING)
                : user.roles().stream().noneMatch(LOOKING::contains)) {
            Responses.text(exchange, 403, user.name() + " has not the role " + CHANGING + ".\n");
        } else {
            answer(exchange, user.name());
        }
    }

    private static void challenge(HttpExchange exchange) {
        exchange.response().headers().set("WWW-Authenticate", BasicCredentials.challenge("Administration"));
        Responses.text(exchange, 401, "The administration needs a user of the Realm with the role " + CHANGING + ".\n");
    }

    private void serve(HttpExchange exchange) throws Exception {
        if (exchange.request().path().raw().startsWith("/manager/")) {
            HttpHandler blocking = next -> answer(next, isSocket ? socketUser(next) : "-");
            exchange.dispatch(blocking);
        } else {
            answer(exchange, "-");
        }
    }

    /** For the log: who has connected to the socket. */
    private static String socketUser(HttpExchange exchange) {
        String user = exchange.channel().info().peerUser();
        if (user != null) {
            return user;
        }
        return ModuleLayer.boot().findModule("jdk.net").isPresent()
                ? "unknown"
                : "unknown (this Java has no module jdk.net)";
    }

    private void answer(HttpExchange exchange, String user) throws Exception {
        String path = exchange.request().path().raw();
        String method = exchange.request().method();
        try {
            Question question = Question.of(exchange.request().query());
            if (path.startsWith("/manager/text")) {
                text(exchange, question, user);
            } else if (path.startsWith("/manager/")) {
                Caller caller = new Caller(exchange, question, user);
                send(exchange, commands.run(method, path.substring("/manager/".length()), question, caller));
            } else if (!isRead(exchange)) {
                exchange.response().headers().set("Allow", "GET, HEAD");
                Responses.text(exchange, 405, "Only GET is possible here.\n");
            } else if (path.equals("/metrics")) {
                metrics.handle(exchange);
            } else if (path.equals("/connections")) {
                send(exchange, Answer.of(reports.connections(question), question));
            } else if (path.equals("/threads")) {
                send(exchange, reports.threads(question));
            } else {
                Responses.text(
                        exchange,
                        404,
                        "There are /health/live, /health/ready, /metrics, /connections, /threads and /manager/text/….\n");
            }
        } catch (IllegalArgumentException wrong) {
            Responses.text(exchange, 400, wrong.getMessage() + "\n");
        }
    }

    private static boolean isRead(HttpExchange exchange) {
        String method = exchange.request().method();
        return method.equals("GET") || method.equals("HEAD");
    }

    private static void send(HttpExchange exchange, Answer answer) {
        if (answer.isJson()) {
            Responses.json(exchange, answer.status(), answer.text());
        } else {
            Responses.text(exchange, answer.status(), answer.text());
        }
    }

    private void text(HttpExchange exchange, Question question, String user) {
        String command = exchange.request().path().raw().substring("/manager/text".length());
        String named = command.isEmpty() || command.equals("/") ? null : command;
        if (users == null && !isSocket && isRead(exchange) && TextCommands.changes(named)) {
            exchange.response().headers().set("Allow", "POST, PUT");
            Responses.text(
                    exchange,
                    405,
                    "Without a Realm, what changes something needs POST: a program that fetches addresses for others must not do it.\n");
            return;
        }
        TextCommands text = new TextCommands(ManagerCommands.host(root, question));
        Caller caller = new Caller(exchange, question, user);
        Responses.text(
                exchange,
                200,
                exchange.request().method().equals("PUT") ? text.upload(named, caller) : text.run(named, caller));
    }

    /** A caller by a request to a door. */
    private record Caller(HttpExchange exchange, Question question, String user) implements TextCommands.Caller {

        @Override
        public @Nullable String parameter(String name) {
            return question.parameters().get(name);
        }

        @Override
        public InputStream body() {
            return ExchangeInputStream.of(exchange);
        }

        @Override
        public @Nullable String own() {
            return null;
        }

        @Override
        public String address() {
            SocketAddress peer = exchange.channel().info().remote();
            return peer instanceof InetSocketAddress inet ? inet.getHostString() : "the admin socket";
        }
    }
}
