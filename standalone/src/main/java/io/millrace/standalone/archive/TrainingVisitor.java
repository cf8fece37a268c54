package io.millrace.standalone.archive;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Asks the server for each kind of thing, often enough for its JVM to learn which paths are hot. */
final class TrainingVisitor {

    private static final int ROUNDS = 30;

    private static final List<String> REQUESTS = List.of(
            "GET /servlet HTTP/1.1\r\n",
            "GET / HTTP/1.1\r\n",
            "GET /servlet?session=yes&name=J%C3%BCrgen HTTP/1.1\r\n",
            "GET /missing HTTP/1.1\r\n",
            "POST /servlet HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n");

    private static final String FIELDS = "Host: localhost\r\nUser-Agent: training\r\nAccept: */*\r\nConnection: ";

    private final URI origin;
    private final SocketFactory sockets;

    TrainingVisitor(URI origin) throws IOException {
        this.origin = origin;
        this.sockets = origin.getScheme().equals("https") ? trusting() : SocketFactory.getDefault();
    }

    void visit() throws IOException {
        for (int i = 0; i < ROUNDS; i++) {
            exchange();
        }
    }

    /** All requests on one connection, pipelined; the last one closes it. */
    private void exchange() throws IOException {
        try (Socket socket = sockets.createSocket(origin.getHost(), origin.getPort())) {
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

    private static SocketFactory trusting() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** The certificate was made a moment ago, by this very process. */
    private static final class Trusting extends X509ExtendedTrustManager {

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
