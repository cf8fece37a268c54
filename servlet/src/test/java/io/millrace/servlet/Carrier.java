package io.millrace.servlet;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.io.Connection;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import io.millrace.testkit.DripConnection;
import io.millrace.testkit.Transports;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** What carries the requests of a test: each transport, and the default one a byte at a time. */
enum Carrier {
    NIO,
    NIO2,
    BIO,
    APR,
    DRIP;

    /** Those whose transports are there; if some transports alone are to be tested, not a byte at a time. */
    static List<Carrier> all() {
        List<String> installed = Transports.installed();
        return Arrays.stream(values())
                .filter(each -> each == DRIP ? !Transports.isChosen() : installed.contains(each.transport()))
                .toList();
    }

    /** The default transport, whole and a byte at a time; all if the system property {@code millrace.test.pairs} is {@code all}. */
    static List<Carrier> chosen() {
        return "all".equals(System.getProperty("millrace.test.pairs"))
                ? all()
                : all().stream()
                        .filter(each -> each == DRIP || each == byDefault())
                        .toList();
    }

    /** The one whose transport is the default. */
    static Carrier byDefault() {
        return valueOf(Transports.byDefault().toUpperCase(Locale.ROOT));
    }

    /** Those that give bytes as they come. */
    static List<Carrier> whole() {
        return all().stream().filter(each -> each != DRIP).toList();
    }

    /** Those on which no thread waits for a client. */
    static List<Carrier> polled() {
        return whole().stream().filter(each -> each != BIO).toList();
    }

    /** How many bytes a test sends where it wants many; a byte at a time each costs a call of the system. */
    int many(int bytes) {
        return this == DRIP ? bytes / 10 : bytes;
    }

    /** The transport's name in the configuration. */
    String transport() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** On a port of its own, to be completed. */
    ConnectorBuilder connector() {
        return Connector.builder().transport(transport()).port(0);
    }

    /** With such a connector, to be completed. */
    ServerBuilder server() {
        return server(connector());
    }

    static ServerBuilder server(ConnectorBuilder connector) {
        return Server.builder().transport(new DripProvider()).connector(connector.build());
    }

    /** The default transport, with connections that give and take a byte at a time. */
    static final class DripProvider implements TransportProvider {

        private final TransportProvider below = Transports.provider(Transports.byDefault());

        @Override
        public String name() {
            return DRIP.transport();
        }

        @Override
        public Transport create(TransportOptions options) {
            return new Dripping(below.create(options));
        }
    }

    private record Dripping(Transport below) implements Transport {

        /** Handlers are called by I/O threads, never by workers. */
        private static final Executor CALLERS = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "drip");
            thread.setDaemon(true);
            return thread;
        });

        @Override
        public SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException {
            return below.bind(address, connection -> onAccept.accept(new DripConnection(connection, CALLERS)));
        }

        @Override
        public void pause() {
            below.pause();
        }

        @Override
        public void resume() {
            below.resume();
        }

        @Override
        public CompletionStage<Void> stop(Duration grace) {
            return below.stop(grace);
        }

        @Override
        public int connections() {
            return below.connections();
        }
    }
}
