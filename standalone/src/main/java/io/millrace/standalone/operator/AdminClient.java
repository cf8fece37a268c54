package io.millrace.standalone.operator;

import io.millrace.standalone.admin.AdminSocket;
import io.millrace.standalone.cli.HostPort;
import io.millrace.standalone.cli.OperatorException;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Asks one server, by its socket or its admin port: a connection for each request, in HTTP/1.0, which needs the least code. */
final class AdminClient {

    /**
     * What the server answered.
     *
     * @param text for the operator
     */
    record Answer(int status, String text) {

        boolean isDone() {
            return status == 200;
        }
    }

    private interface Opening {
        SocketChannel open() throws IOException, OperatorException;
    }

    private final String name;
    private final Opening opening;
    private final @Nullable String credentials;

    private AdminClient(String name, Opening opening, @Nullable String credentials) {
        this.name = name;
        this.opening = opening;
        this.credentials = credentials;
    }

    /** The server of a base directory. */
    static AdminClient of(Path base) {
        Path directory = base.toAbsolutePath().normalize();
        return new AdminClient(
                "localhost",
                () -> {
                    SocketChannel channel = AdminSocket.connect(directory);
                    if (channel == null) {
                        throw new OperatorException(
                                "no server uses " + directory + " (is it running? another base directory?)");
                    }
                    return channel;
                },
                null);
    }

    /**
     * The server with an admin port.
     *
     * @param address {@code HOST:PORT}
     * @param credentials a name and a password, with a colon between them; null for none
     */
    static AdminClient at(String address, @Nullable String credentials) throws OperatorException {
        HostPort parsed = HostPort.parse(address);
        if (parsed == null || parsed.port() == 0) {
            throw new OperatorException("\"" + address + "\": " + HostPort.FORM);
        }
        InetSocketAddress target = new InetSocketAddress(parsed.host(), parsed.port());
        return new AdminClient(
                address,
                () -> {
                    if (target.isUnresolved()) {
                        throw new UnknownHostException("there is no host " + parsed.host());
                    }
                    return SocketChannel.open(target);
                },
                credentials);
    }

    String name() {
        return name;
    }

    /** Sends a request without a body. */
    Answer ask(String method, String target) throws OperatorException {
        return send(method, target, null);
    }

    /** Uploads a file. */
    Answer upload(String target, Path file) throws OperatorException {
        return send("PUT", target, file);
    }

    private Answer send(String method, String target, @Nullable Path file) throws OperatorException {
        try (SocketChannel channel = opening.open()) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
            try {
                long length = file == null ? 0 : Files.size(file);
                out.write((method + " " + target + " HTTP/1.0\r\nHost: " + name + "\r\n"
                                + (credentials == null
                                        ? ""
                                        : "Authorization: Basic "
                                                + Base64.getEncoder()
                                                        .encodeToString(credentials.getBytes(StandardCharsets.UTF_8))
                                                + "\r\n")
                                + (method.equals("GET") ? "" : "Content-Length: " + length + "\r\n") + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                if (file != null) {
                    Files.copy(file, out);
                }
                out.flush();
            } catch (IOException refused) {
                if (file == null) {
                    throw refused;
                } // it has answered before the upload was complete
            }
            return read(Channels.newInputStream(channel));
        } catch (IOException e) {
            throw new OperatorException((name.equals("localhost") ? "" : name + ": ")
                    + (e.getMessage() == null ? e.toString() : e.getMessage()));
        }
    }

    private static Answer read(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        in.transferTo(bytes);
        String answer = bytes.toString(StandardCharsets.UTF_8);
        int end = answer.indexOf("\r\n\r\n");
        if (!answer.startsWith("HTTP/1.") || end < 0 || answer.length() < 12) {
            throw new IOException("the server closed the connection without an answer");
        }
        return new Answer(Integer.parseInt(answer.substring(9, 12)), answer.substring(end + 4));
    }
}
