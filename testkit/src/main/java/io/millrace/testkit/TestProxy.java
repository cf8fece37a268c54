package io.millrace.testkit;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An HTTP proxy for CONNECT, with blocking sockets. Records the requests. */
public final class TestProxy implements AutoCloseable {

    private final ServerSocket listening;
    private final Function<String, @Nullable String> answers;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private TestProxy(ServerSocket listening, Function<String, @Nullable String> answers) {
        this.listening = listening;
        this.answers = answers;
        run(this::accept);
    }

    /** A proxy that opens every tunnel. */
    public static TestProxy open() throws IOException {
        return answering(request -> null);
    }

    /**
     * A proxy that decides for each request.
     *
     * @param answers returns the complete response for the head of a request, after which the connection is closed; null
     *     to open the tunnel
     */
    public static TestProxy answering(Function<String, @Nullable String> answers) throws IOException {
        return new TestProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), answers);
    }

    /** The address on which it listens. */
    public InetSocketAddress address() {
        return new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort());
    }

    /** The heads of all requests so far. */
    public List<String> requests() {
        return requests;
    }

    private interface Blocking {
        void run() throws IOException;
    }

    /** Runs an action; a failure ends the connection only. */
    private static void run(Blocking action) {
        Thread thread = new Thread(
                () -> {
                    try {
                        action.run();
                    } catch (IOException closed) {
                        // the test notices the missing data
                    }
                },
                "test-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            sockets.add(client);
            run(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        try (client) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.readUnsignedByte());
            }
            requests.add(head.toString());
            String answer = answers.apply(head.toString());
            if (answer == null) {
                tunnel(client, head.substring("CONNECT ".length(), head.indexOf(" HTTP/")));
            } else {
                client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                client.shutdownOutput();
                in.transferTo(OutputStream.nullOutputStream());
            }
        }
    }

    private void tunnel(Socket client, String target) throws IOException {
        int colon = target.lastIndexOf(':');
        try (Socket server = new Socket(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)))) {
            sockets.add(server);
            client.getOutputStream()
                    .write("HTTP/1.1 200 Open\r\nContent-Length: 7\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            run(() -> copy(server, client));
            copy(client, server);
        }
    }

    private static void copy(Socket from, Socket to) throws IOException {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket each : sockets) {
            each.close();
        }
    }
}
