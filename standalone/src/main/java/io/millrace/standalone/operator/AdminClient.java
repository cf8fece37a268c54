package io.millrace.standalone.operator;

import io.millrace.standalone.admin.AdminSocket;
import io.millrace.standalone.cli.HostPort;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.tls.certificate.TrustedAuthorities;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asks one server, by its socket or its admin port: a connection for each request, in HTTP/1.0, which needs the least code. A server that
 * does not go on for a time is given up.
 */
final class AdminClient {

    /** For a connection, and between two parts of an answer. */
    private static final Duration SHORT = Duration.ofSeconds(10);

    /** How much of an upload, or of an answer, counts as progress. */
    private static final int PART = 1 << 16;

    static final String HTTPS = "https://";

    /** The first bytes of a TLS record with an alert, by which a TLS server answers what is no handshake (RFC 8446, 5.1). */
    private static final int TLS_ALERT = 21;

    private static final int TLS_MAJOR = 3;

    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.\\d (\\d{3})");

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d{1,18})");

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

    /** How a server is reached. */
    private interface Opening {
        SocketChannel open(Watchdog watchdog) throws IOException, OperatorException;
    }

    private final String name;
    private final Opening opening;
    private final @Nullable Tls tls;
    private final @Nullable String credentials;
    private final Duration limit;

    private AdminClient(String name, Opening opening, @Nullable Tls tls, @Nullable String credentials, Duration limit) {
        this.name = name;
        this.opening = opening;
        this.tls = tls;
        this.credentials = credentials;
        this.limit = limit;
    }

    /**
     * The server of a base directory.
     *
     * @param limit how long it may take to begin its answer
     */
    static AdminClient of(Path base, Duration limit) {
        Path directory = base.toAbsolutePath().normalize();
        return new AdminClient(
                "localhost",
                watchdog -> {
                    watchdog.expect(brief(limit), "the server of " + directory + " accepts no connection");
                    SocketChannel channel = AdminSocket.connect(directory, watchdog::guard);
                    if (channel == null) {
                        throw new OperatorException(
                                "no server uses " + directory + " (is it running? another base directory?)");
                    }
                    return channel;
                },
                null,
                null,
                limit);
    }

    /**
     * The server with an admin port.
     *
     * @param address {@code HOST:PORT}, or with TLS {@code https://HOST:PORT}
     * @param authorities of the server's certificate, PEM; null for those of the JDK
     * @param credentials a name and a password, with a colon between them; null for none
     * @param limit how long it may take to begin its answer
     */
    static AdminClient at(String address, @Nullable Path authorities, @Nullable String credentials, Duration limit)
            throws OperatorException {
        boolean secure = address.startsWith(HTTPS);
        HostPort target = HostPort.parse(secure ? address.substring(HTTPS.length()) : address);
        if (target == null || target.port() == 0) {
            throw new OperatorException("\"" + address + "\": " + HostPort.FORM + "; https://HOST:PORT for TLS");
        }
        return new AdminClient(
                address,
                watchdog -> {
                    InetSocketAddress resolved = new InetSocketAddress(target.host(), target.port());
                    if (resolved.isUnresolved()) {
                        throw new UnknownHostException("there is no host " + target.host());
                    }
                    watchdog.expect(brief(limit), "no connection (is the address right? a firewall?)");
                    SocketChannel channel = SocketChannel.open();
                    watchdog.guard(channel);
                    channel.connect(resolved);
                    return channel;
                },
                secure ? Tls.to(target, authorities) : null,
                credentials,
                limit);
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

    /** For what a server does at once. */
    private static Duration brief(Duration limit) {
        return limit.compareTo(SHORT) < 0 ? limit : SHORT;
    }

    private Answer send(String method, String target, @Nullable Path file) throws OperatorException {
        try (Watchdog watchdog = new Watchdog()) {
            try (SocketChannel channel = opening.open(watchdog)) {
                return send(channel, watchdog, method, target, file);
            } catch (IOException e) {
                String late = watchdog.expired();
                throw new OperatorException(late == null ? why(e) : late);
            }
        }
    }

    private Answer send(SocketChannel channel, Watchdog watchdog, String method, String target, @Nullable Path file)
            throws IOException {
        InputStream in;
        OutputStream out;
        if (tls == null) {
            in = Channels.newInputStream(channel);
            out = Channels.newOutputStream(channel);
        } else {
            watchdog.expect(brief(limit), "no TLS handshake (does it speak TLS there?)");
            SSLSocket socket = tls.over(channel);
            in = socket.getInputStream();
            out = socket.getOutputStream();
        }
        watchdog.expect(limit, "it takes nothing of the request");
        try (InputStream upload = file == null ? InputStream.nullInputStream() : Files.newInputStream(file)) {
            out.write(head(method, target, file == null ? 0 : Files.size(file)).getBytes(StandardCharsets.US_ASCII));
            byte[] part = new byte[PART];
            for (int count = upload.read(part); count >= 0; count = upload.read(part)) {
                if (!sent(out, part, count)) {
                    break; // it has answered before the upload was complete
                }
                watchdog.progress();
            }
            out.flush();
        }
        watchdog.expect(limit, "no answer");
        return read(in, watchdog, brief(limit));
    }

    private static boolean sent(OutputStream out, byte[] part, int count) {
        try {
            out.write(part, 0, count);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private String head(String method, String target, long length) {
        String pair = credentials;
        return method + " " + target + " HTTP/1.0\r\nHost: " + (tls == null ? name : name.substring(HTTPS.length()))
                + "\r\n"
                + (pair == null
                        ? ""
                        : "Authorization: Basic "
                                + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)) + "\r\n")
                + (method.equals("GET") ? "" : "Content-Length: " + length + "\r\n") + "\r\n";
    }

    private static Answer read(InputStream in, Watchdog watchdog, Duration brief) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] part = new byte[PART];
        for (int count = in.read(part); count >= 0; count = in.read(part)) {
            watchdog.expect(brief, "the rest of the answer does not come");
            bytes.write(part, 0, count);
        }
        String answer = bytes.toString(StandardCharsets.UTF_8);
        int end = answer.indexOf("\r\n\r\n");
        if (bytes.size() > 2 && bytes.toByteArray()[0] == TLS_ALERT && bytes.toByteArray()[1] == TLS_MAJOR) {
            throw new IOException("it speaks TLS there; write https://HOST:PORT");
        }
        Matcher status = STATUS.matcher(answer);
        if (!status.lookingAt() || end < 0) {
            throw new IOException(
                    answer.isEmpty()
                            ? "the server closed the connection without an answer"
                            : "what answers there is no admin port: it does not speak HTTP");
        }
        Matcher length = LENGTH.matcher(answer.substring(0, end));
        if (length.find() && Long.parseLong(length.group(1)) > bytes.size() - end - 4) {
            throw new IOException("the answer is incomplete: the server, or something between, closed the connection");
        }
        return new Answer(Integer.parseInt(status.group(1)), answer.substring(end + 4));
    }

    /** For the operator: what has failed, and what to do. */
    private String why(IOException e) {
        if (tls != null && e instanceof SSLException) {
            return Tls.why(e);
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    /** TLS to an admin port: its certificate has to be signed by a trusted authority, and to be for its host. */
    private static final class Tls {

        private final HostPort target;
        private final SSLSocketFactory sockets;

        private Tls(HostPort target, SSLSocketFactory sockets) {
            this.target = target;
            this.sockets = sockets;
        }

        static Tls to(HostPort target, @Nullable Path authorities) throws OperatorException {
            if (authorities == null) {
                return new Tls(target, (SSLSocketFactory) SSLSocketFactory.getDefault());
            }
            try {
                return new Tls(target, TrustedAuthorities.clients(authorities).getSocketFactory());
            } catch (NoSuchFileException e) {
                throw new OperatorException("--ca " + authorities + ": there is no such file");
            } catch (IOException | GeneralSecurityException e) {
                throw new OperatorException("--ca: " + authorities + " " + e.getMessage());
            }
        }

        SSLSocket over(SocketChannel channel) throws IOException {
            SSLSocket socket = (SSLSocket) sockets.createSocket(channel.socket(), target.host(), target.port(), true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket;
        }

        static String why(IOException e) {
            String message = String.valueOf(e.getMessage());
            if (message.contains("nrecognized SSL message") || message.contains("plaintext connection")) {
                return "it does not speak TLS there; write HOST:PORT without https://";
            }
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
                    return "its certificate is not trusted (" + cause.getMessage()
                            + "); --ca FILE names a PEM file with the authority that signed it";
                }
            }
            return "TLS failed: " + message.replaceFirst("^\\(\\w+\\) ", "");
        }
    }

    /** Closes the connection of a request that does not go on. */
    private static final class Watchdog implements AutoCloseable {

        private @Nullable Closeable guarded;
        private Duration limit = SHORT;
        private String what = "";
        private long since = System.nanoTime();
        private boolean closed;
        private boolean late;

        Watchdog() {
            Thread thread = new Thread(this::watch, "watchdog");
            thread.setDaemon(true);
            thread.start();
        }

        /** Closes this if a phase takes too long. */
        synchronized void guard(Closeable connection) {
            guarded = connection;
            if (late) {
                closeGuarded();
            }
        }

        /** Begins a phase. */
        synchronized void expect(Duration most, String whatHappens) {
            if (late) {
                return;
            }
            limit = most;
            what = whatHappens;
            progress();
            notifyAll();
        }

        synchronized void progress() {
            since = System.nanoTime();
        }

        /** What did not happen in time, and what to do; null if nothing was late. */
        synchronized @Nullable String expired() {
            return late
                    ? what + " within " + (limit.toSeconds() > 0 ? limit.toSeconds() + "s" : limit.toMillis() + "ms")
                            + ", so this command gave up; what it asked for may still be done. `jcmd PID Thread.print` shows what"
                            + " the server does; --timeout TIME waits longer for an answer"
                    : null;
        }

        private synchronized void watch() {
            try {
                while (!closed) {
                    long left = limit.toMillis() - (System.nanoTime() - since) / 1_000_000;
                    if (left <= 0) {
                        late = true;
                        closeGuarded();
                        return;
                    }
                    wait(left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void closeGuarded() {
            try {
                if (guarded != null) {
                    guarded.close();
                }
            } catch (IOException broken) {
                // it is of no use any more
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
            notifyAll();
        }
    }
}
