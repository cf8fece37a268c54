package io.millrace.samples;

import io.millrace.Server;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Sends requests to a server. */
final class Client {

    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;

    Client(Server server) {
        this(server.port());
    }

    Client(int port) {
        this.port = port;
    }

    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20));
    }

    HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(to(path).build());
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(to(path).POST(HttpRequest.BodyPublishers.ofString(body)).build());
    }

    /** Waits until connections to a port are refused: its server has closed the listening socket. */
    static void awaitRefusal(int port) {
        Deadline.await("connections to be refused", () -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return !socket.isConnected();
            } catch (ConnectException refused) {
                return true;
            } catch (IOException reset) { // it was in the queue of the socket that is being closed
                return false;
            }
        });
    }
}
