package io.millrace.standalone.archive;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Sends requests of each kind to the server. */
final class TrainingVisitor {

    private static final List<String> REQUESTS = List.of(
            "GET /servlet HTTP/1.1\r\n",
            "GET / HTTP/1.1\r\n",
            "GET /servlet?session=yes&name=J%C3%BCrgen HTTP/1.1\r\n",
            "GET /missing HTTP/1.1\r\n",
            "POST /servlet HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n");

    private static final String FIELDS = "Host: localhost\r\nUser-Agent: training\r\nAccept: */*\r\nConnection: ";

    private final URI origin;

    TrainingVisitor(URI origin) {
        this.origin = origin;
    }

    /** Sends all requests on one connection, pipelined; the last one closes it. */
    void visit() throws IOException {
        try (Socket socket = new Socket(origin.getHost(), origin.getPort())) {
            OutputStream out = socket.getOutputStream();
            for (int i = 0; i < REQUESTS.size(); i++) {
                boolean last = i == REQUESTS.size() - 1;
                String text = REQUESTS.get(i) + FIELDS + (last ? "close\r\n\r\na=b&c=d&e" : "keep-alive\r\n\r\n");
                out.write(text.getBytes(StandardCharsets.US_ASCII));
            }
            out.flush();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
