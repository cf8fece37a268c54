package io.millrace.servlet;

import io.millrace.Application;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** An application on a real server, over the default transport unless said otherwise, and a client for it. */
final class Deployed implements AutoCloseable {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Server server;

    Deployed(Server server) {
        this.server = server;
    }

    static Deployed of(WebApplicationBuilder application) throws IOException {
        return of(application.build());
    }

    static Deployed of(Application application) throws IOException {
        return on(Carrier.byDefault(), application);
    }

    static Deployed on(Carrier carrier, WebApplicationBuilder application) throws IOException {
        return on(carrier, application.build());
    }

    static Deployed on(Carrier carrier, Application... applications) throws IOException {
        ServerBuilder server = carrier.server().failFast(true);
        for (Application application : applications) {
            server.application(application);
        }
        return new Deployed(server.start());
    }

    int port() {
        return server.port();
    }

    /** A request, to be completed and sent. */
    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(20));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    /** The body of the answer to a GET. */
    String body(String path) throws IOException, InterruptedException {
        return get(path).body();
    }

    /** The same, as it came. */
    byte[] bytes(String path) throws IOException, InterruptedException {
        return CLIENT.send(request(path).build(), HttpResponse.BodyHandlers.ofByteArray())
                .body();
    }

    HttpResponse<String> post(String path, String type, String body) throws IOException, InterruptedException {
        return send(request(path).header("Content-Type", type).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** Stops the server, and cuts what is still running. */
    void cut() {
        server.stop(Duration.ZERO);
    }

    /** Stops the server; what is still running may end within the time. */
    void stop(Duration grace) {
        server.stop(grace);
    }

    @Override
    public void close() {
        server.close();
    }
}
