package io.millrace.testkit;

import io.millrace.http.Headers;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** An HTTP/1.1 client over any link: sends requests, reads responses (RFC 9112), and checks that they are well-formed. */
public final class Http1ContractClient implements ContractClient {

    private static final int CHUNK = 1000;

    private final ContractLink link;
    private final Deque<String> methods = new ArrayDeque<>();
    private final List<Integer> interim = new ArrayList<>();
    private byte[] buffer = {};
    private int at;

    /** A client on a new connection. */
    public Http1ContractClient(ContractLink link) {
        this.link = link;
    }

    /** The bytes of a request, head and body. */
    public static byte[] encode(ContractRequest request) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(head(request));
        out.writeBytes(body(request));
        return out.toByteArray();
    }

    @Override
    public ContractLink link() {
        return link;
    }

    @Override
    public void send(ContractRequest request) throws IOException {
        methods.add(request.method());
        link.send(request.expectContinue() ? head(request) : encode(request));
    }

    @Override
    public void sendAll(List<ContractRequest> requests) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ContractRequest request : requests) {
            methods.add(request.method());
            all.writeBytes(encode(request));
        }
        link.send(all.toByteArray());
    }

    @Override
    public byte[] beginOfRequest() {
        return new byte[] {'G', 'E'};
    }

    @Override
    public void sendBody(ContractRequest request) throws IOException {
        link.send(body(request));
    }

    @Override
    public int receiveInterim() throws IOException {
        ResponseLine line = readHead();
        if (line.status() >= 200) {
            throw new AssertionError("expected an interim response, got " + line.status());
        }
        return line.status();
    }

    @Override
    public ContractResponse receive() throws IOException {
        ResponseLine line = readHead();
        while (line.status() < 200) {
            interim.add(line.status());
            line = readHead();
        }
        List<Integer> before = List.copyOf(interim);
        interim.clear();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        boolean complete = readBody(line, methods.remove(), body);
        return new ContractResponse(before, line.status(), line.headers(), body.toByteArray(), complete);
    }

    @Override
    public boolean awaitEnd() throws IOException {
        return at == buffer.length && link.receive().length == 0;
    }

    private record ResponseLine(int status, Headers headers) {}

    private static byte[] head(ContractRequest request) {
        StringBuilder head = new StringBuilder();
        head.append(request.method()).append(' ').append(request.target()).append(" HTTP/1.1\r\nHost: contract\r\n");
        append(head, request.headers());
        if (!request.lengthKnown()) {
            head.append("Transfer-Encoding: chunked\r\n");
        } else if (request.body().length > 0 || request.method().equals("POST")) {
            head.append("Content-Length: ").append(request.body().length).append("\r\n");
        }
        if (request.expectContinue()) {
            head.append("Expect: 100-continue\r\n");
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] body(ContractRequest request) {
        if (request.lengthKnown()) {
            return request.body();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] body = request.body();
        for (int from = 0; from < body.length; from += CHUNK) {
            int length = Math.min(CHUNK, body.length - from);
            String extension = from == 0 ? ";part=first" : "";
            out.writeBytes((Integer.toHexString(length) + extension + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            out.write(body, from, length);
            out.writeBytes(new byte[] {'\r', '\n'});
        }
        StringBuilder end = new StringBuilder("0\r\n");
        append(end, request.trailers());
        out.writeBytes(end.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        return out.toByteArray();
    }

    private static void append(StringBuilder text, Headers headers) {
        for (int i = 0; i < headers.size(); i++) {
            text.append(headers.name(i)).append(": ").append(headers.value(i)).append("\r\n");
        }
    }

    private ResponseLine readHead() throws IOException {
        String line = readLine();
        if (!line.matches("HTTP/1\\.1 \\d{3} .*")) {
            throw new AssertionError("not a status line: " + line);
        }
        Headers headers = new Headers();
        for (String field = readLine(); !field.isEmpty(); field = readLine()) {
            int colon = field.indexOf(": ");
            if (colon <= 0) {
                throw new AssertionError("not a field: " + field);
            }
            headers.add(field.substring(0, colon), field.substring(colon + 2));
        }
        return new ResponseLine(Integer.parseInt(line.substring(9, 12)), headers);
    }

    /** False if it was truncated. */
    private boolean readBody(ResponseLine line, String method, ByteArrayOutputStream body) throws IOException {
        if (method.equals("HEAD") || line.status() == 204 || line.status() == 304) {
            return true;
        }
        try {
            String length = line.headers().get("Content-Length");
            if (line.headers().contains("Transfer-Encoding")) {
                readChunks(body);
            } else if (length != null) {
                read(Long.parseLong(length), body);
            } else {
                readAll(body);
            }
            return true;
        } catch (EOFException cutOff) {
            return false;
        }
    }

    private void readChunks(ByteArrayOutputStream body) throws IOException {
        for (long size = readSize(); size > 0; size = readSize()) {
            read(size, body);
            if (!readLine().isEmpty()) {
                throw new AssertionError("a chunk does not end where its size says");
            }
        }
        while (!readLine().isEmpty()) {
            // trailers
        }
    }

    private long readSize() throws IOException {
        return Long.parseLong(readLine(), 16);
    }

    private void readAll(ByteArrayOutputStream body) throws IOException {
        try {
            read(Long.MAX_VALUE, body);
        } catch (EOFException end) {
            // the end of the connection ends the body
        }
    }

    private void read(long count, ByteArrayOutputStream into) throws IOException {
        long left = count;
        while (left > 0) {
            fill();
            int step = (int) Math.min(left, buffer.length - at);
            into.write(buffer, at, step);
            at += step;
            left -= step;
        }
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            fill();
            char c = (char) (buffer[at++] & 0xff);
            if (c == '\n' && !line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
                line.setLength(line.length() - 1);
                return line.toString();
            }
            line.append(c);
        }
    }

    private void fill() throws IOException {
        if (at == buffer.length) {
            buffer = link.receive();
            at = 0;
            if (buffer.length == 0) {
                throw new EOFException("the server ended the connection");
            }
        }
    }
}
