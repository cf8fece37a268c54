package io.millrace.samples;

import io.millrace.Application;
import io.millrace.Server;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import io.millrace.io.BufferPool;
import io.millrace.io.PortInUseException;
import io.millrace.io.Timers;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.deploy.DeploymentOptions;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.settings.SameSite;
import java.io.IOException;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import javax.servlet.Servlet;

/** Starting and stopping in steps, and what frameworks and tests need. */
final class Lifecycles {

    private Lifecycles() {}

    static void run(int port) throws IOException {
        // tag::run
        Server.builder()
                .port(port)
                .handler(exchange -> Responses.text(exchange, 200, "Hello!\n"))
                .run(); // until SIGTERM or Ctrl-C; then requests in progress are completed, for at most 30 s
        // end::run
    }

    static Server prepare(int port, Application shop) throws IOException {
        // tag::prepare
        Server.Prepared prepared =
                Server.builder().port(port).application(shop).prepare(); // the application has started
        try {
            return prepared.listen(); // from now on it serves requests
        } catch (PortInUseException taken) {
            prepared.close(); // stops the application
            throw new IllegalStateException("Is another instance running on port " + taken.port() + "?", taken);
        }
        // end::prepare
    }

    static CompletionStage<Server.Drained> drain(Server server) {
        // tag::drain
        CompletionStage<Server.Drained> drained = server.drain(); // does not wait
        drained.thenAccept(System.out::println); // IDLE, REQUESTS_ACTIVE or IMMEDIATE
        // end::drain
        return drained;
    }

    static WebApplication cookies(Servlet servlet) {
        WebApplication application = WebApplication.builder("")
                .servlet("cookies", servlet, "/cookies")
                .build();
        // tag::same-site
        application.sameSite(cookie -> cookie.getName().equals("sso") ? SameSite.NONE : SameSite.LAX);
        // end::same-site
        return application;
    }

    static WebApplication libraries(URL webjar) {
        // tag::nested
        WebApplication application = WebApplication.builder("/app")
                .servlet("greeting", new Servlets.Greeting(), "/hello")
                .build()
                .deployment(DeploymentOptions.DEFAULT.withExtra(ExtraResources.NONE.withLibraries(List.of(webjar))));
        // end::nested
        return application;
    }

    static void turn(HttpHandler handler) throws IOException {
        // tag::buffers
        BufferPool buffers = new BufferPool(16 * 1024 * 1024, true); // true: records where each buffer was leased
        Timers timers = new Timers("test-timers");
        try (timers;
                Server server = Server.builder()
                        .port(0)
                        .buffers(buffers)
                        .timers(timers)
                        .handler(handler)
                        .start()) {
            timers.advance(Duration.ofMinutes(31)); // sessions and asynchronous requests time out now
            System.out.println(server.port() + ": " + buffers.outstanding() + " buffers\n" + buffers.leakReport());
        }
        // end::buffers
    }
}
