package io.millrace.connector.nio;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/**
 * An HTTP/1.1 backend that parses requests more strictly than RFC 9112 requires, with a parser of its own, and records the
 * requests and their violations. Uses blocking sockets.
 */
final class RecordingBackend implements AutoCloseable {

    private static final Pattern LINE = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+ (/[!-~&&[^#]]*|\\*) HTTP/1\\.1");
    private static final Pattern FIELD = Pattern.compile(
            "([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([!-~\\x80-\\xff]([\\t -~\\x80-\\xff]*[!-~\\x80-\\xff])?)?");
    private static final Set<String> NEVER = Set.of(
            "keep-alive", "proxy-connection", "proxy-authorization", "proxy-authenticate", "http2-settings", "trailer");

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Recorded> requests = new CopyOnWriteArrayList<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();

    /**
     * A complete request.
     *
     * @param fields lines, in their order, names in lower case
     * @param body as ISO-8859-1
     */
    record Recorded(String line, List<String> fields, String body, List<String> trailers) {}

    RecordingBackend() throws IOException {
        run(() -> {
            while (true) {
                Socket socket = listening.accept();
                run(() -> serve(socket));
            }
        });
    }

    int port() {
        return listening.getLocalPort();
    }

    List<Recorded> requests() {
        return requests;
    }

    List<String> violations() {
        return violations;
    }

    private interface Blocking {
        void run() throws IOException;
    }

    private static void run(Blocking action) {
        Thread thread = new Thread(
                () -> {
                    try {
                        action.run();
                    } catch (IOException closed) {
                        return; // closed by the proxy, or at the end of the test
                    }
                },
                "recording-backend");
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Socket accepted) throws IOException {
        try (Socket socket = accepted) {
            InputStream in = socket.getInputStream();
            for (String line = line(in); ; line = line(in)) {
                requests.add(read(line, in));
                socket.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Recorded: 1\r\n\r\nok"
                                .getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private Recorded read(String line, InputStream in) throws IOException {
        check(LINE.matcher(line).matches(), "the request line " + line);
        List<String> fields = fields(in);
        check(values(fields, "host").size() == 1, "Host in " + fields);
        List<String> lengths = values(fields, "content-length");
        List<String> codings = values(fields, "transfer-encoding");
        check(lengths.size() + codings.size() <= 1, "the framing in " + fields);
        check(values(fields, "connection").isEmpty(), "Connection in " + fields);
        check(values(fields, "te").stream().allMatch("trailers"::equals), "TE in " + fields);
        for (String name : NEVER) {
            check(values(fields, name).isEmpty(), name + " in " + fields);
        }
        List<String> trailers = new ArrayList<>();
        String body = "";
        if (!codings.isEmpty()) {
            check(codings.get(0).equals("chunked"), "the coding " + codings);
            body = chunked(in, trailers);
        } else if (!lengths.isEmpty()) {
            check(lengths.get(0).matches("0|[1-9]\\d{0,8}"), "the length " + lengths);
            body = bytes(in, Integer.parseInt(lengths.get(0)));
        }
        return new Recorded(line, fields, body, trailers);
    }

    private String chunked(InputStream in, List<String> trailers) throws IOException {
        StringBuilder body = new StringBuilder();
        while (true) {
            String size = line(in);
            check(size.matches("[0-9a-fA-F]{1,7}"), "the chunk size " + size);
            int length = Integer.parseInt(size, 16);
            if (length == 0) {
                trailers.addAll(fields(in));
                return body.toString();
            }
            body.append(bytes(in, length));
            String end = line(in);
            check(end.isEmpty(), "octets behind a chunk: " + end);
        }
    }

    private List<String> fields(InputStream in) throws IOException {
        List<String> fields = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            check(FIELD.matcher(line).matches(), "the field " + line);
            int colon = line.indexOf(':');
            fields.add(line.substring(0, colon).toLowerCase(Locale.ROOT) + line.substring(colon));
        }
        return fields;
    }

    static List<String> values(List<String> fields, String name) {
        return fields.stream()
                .filter(field -> field.startsWith(name + ": "))
                .map(field -> field.substring(name.length() + 2))
                .toList();
    }

    /** After a violation the rest cannot be parsed. */
    private void check(boolean right, String what) throws IOException {
        if (!right) {
            violations.add(what);
            throw new IOException(what);
        }
    }

    private static String bytes(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** A line that ends with CR LF, and has no other CR or LF. */
    private String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            int octet = in.read();
            if (octet < 0) {
                throw new EOFException();
            }
            if (octet == '\r') {
                check(in.read() == '\n', "a CR alone behind " + line.toString(StandardCharsets.ISO_8859_1));
                return line.toString(StandardCharsets.ISO_8859_1);
            }
            check(octet != '\n', "an LF alone behind " + line.toString(StandardCharsets.ISO_8859_1));
            line.write(octet);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
