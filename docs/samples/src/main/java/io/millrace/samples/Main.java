package io.millrace.samples;

// tag::program
import io.millrace.Server;
import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.handler.PathRouter;
import io.millrace.handler.Responses;
import java.io.IOException;
import java.time.Duration;

/** Greets, and echoes what is posted, until SIGTERM or Ctrl-C. */
public final class Main {

    private Main() {}

    public static void main(String[] args) throws IOException {
        int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
        PathRouter router = PathRouter.builder()
                .exact("GET", "/", exchange -> Responses.text(exchange, 200, "Hello!\n"))
                .exact(
                        "POST",
                        "/echo",
                        exchange -> ExchangeInputStream.of(exchange).transferTo(ExchangeOutputStream.of(exchange)))
                .build();
        Server server = Server.builder()
                .port(port)
                .handler(router)
                .stopAtShutdown(Duration.ofSeconds(30))
                .start();
        System.out.println("http://localhost:" + server.port() + "/");
        server.awaitStop();
    }
}
// end::program
