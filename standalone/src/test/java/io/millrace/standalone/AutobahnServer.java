package io.millrace.standalone;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.io.Completion;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.WebSocketOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What Autobahn's test suite has at its other end: sends each message back. Takes the files of a certificate and its key, and the
 * names of connectors, {@code nio} or {@code apr+openssl}; prints a line with name and URL for each, and runs until it is ended.
 */
final class AutobahnServer {

    /** The longest message of the suite has 16 MiB, and the one of the most frames 65,536. */
    private static final int LONGEST = 16 * 1024 * 1024;

    private static final WebSocketOptions OPTIONS = WebSocketOptions.DEFAULT
            .with(WebSocketOptions.MAX_TEXT_SIZE, LONGEST)
            .with(WebSocketOptions.MAX_BINARY_SIZE, LONGEST)
            .with(WebSocketOptions.MAX_FRAMES, 100_000)
            .with(WebSocketOptions.SEND_BUFFER_LIMIT, 8L * LONGEST);

    private AutobahnServer() {}

    public static void main(String[] args) throws Exception {
        ServerBuilder builder = Server.builder().handler(new WebSocketHandler(new Echo(), OPTIONS));
        for (int i = 2; i < args.length; i++) {
            builder.connector(connector(args[i], Path.of(args[0]), Path.of(args[1])));
        }
        Server server = builder.start();
        for (int i = 2; i < args.length; i++) {
            String scheme = args[i].contains("+") ? "wss" : "ws";
            System.out.println(
                    args[i] + " " + scheme + "://127.0.0.1:" + server.ports().get(i - 2));
        }
        server.awaitStop();
    }

    private static Connector connector(String name, Path certificate, Path key) {
        String[] parts = name.split("\\+", 2);
        ConnectorBuilder builder =
                Connector.builder().transport(parts[0]).address("127.0.0.1").port(0);
        if (parts.length > 1) {
            builder.tls(TlsOptions.of(TlsHost.any().pem(certificate, key))
                    .with(TlsOptions.IMPLEMENTATION, TlsImplementation.valueOf(parts[1].toUpperCase(Locale.ROOT))));
        }
        return builder.build();
    }

    private static final class Echo implements WebSocketListener {

        @Override
        public void onText(WebSocketConnection connection, String message) {
            connection.sendText(message, Completion.IGNORE);
        }

        @Override
        public void onBinary(WebSocketConnection connection, ByteBuffer message) {
            connection.sendBinary(message, Completion.IGNORE);
        }
    }
}
