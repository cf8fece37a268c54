package io.millrace.samples;

import io.millrace.Application;
import io.millrace.Server;
import io.millrace.ServerContext;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A program that embeds a server, for a process of its own: its argument says how it ends. */
final class ShutdownProgram {

    private static final CountDownLatch ENTERED = new CountDownLatch(1);

    private ShutdownProgram() {}

    public static void main(String[] arguments) throws Exception {
        String way = arguments[0];
        Duration grace = way.equals("exit-in-handler") ? Duration.ofMillis(100) : Duration.ofSeconds(20);
        if (way.equals("start-in-hook")) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> startLate(grace)));
            return;
        }
        Server server = Server.builder()
                .port(0)
                .application(new Shop(way))
                .stopAtShutdown(grace)
                .start();
        System.out.println("port " + server.port());
        if (way.equals("stop")) {
            ENTERED.await();
            server.stop(grace);
        }
        server.awaitStop();
        System.out.println("main ends");
    }

    private static void startLate(Duration grace) {
        try {
            Server.builder().port(0).stopAtShutdown(grace).start();
        } catch (Exception refused) {
            System.out.println(refused.getMessage());
        }
    }

    /** A request waits for a character on stdin, or ends the JVM. */
    private record Shop(String way) implements Application {

        @Override
        public String contextPath() {
            return "";
        }

        @Override
        public HttpHandler start(ServerContext server) {
            return exchange -> {
                if (way.equals("exit-in-handler")) {
                    System.exit(7);
                }
                System.out.println("entered");
                ENTERED.countDown();
                Responses.text(exchange, 200, "finished after " + (char) System.in.read());
            };
        }

        @Override
        public void stop() {
            System.out.println("application stopped");
        }
    }
}
