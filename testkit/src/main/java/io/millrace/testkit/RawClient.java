package io.millrace.testkit;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLException;

/**
 * A peer that sends and reads exactly the given bytes on a blocking socket. Text is ISO 8859-1, one byte per character.
 * Every read has a deadline ({@link Deadline#DEFAULT} by default), after which it fails with a {@link
 * SocketTimeoutException}. Used by one thread, or by one that sends and one that reads.
 */
public final class RawClient implements AutoCloseable {

    private final Socket socket;
    private final Socket transport;
    private Duration deadline = Deadline.DEFAULT;

    private RawClient(Socket socket, Socket transport) {
        this.socket = socket;
        this.transport = transport;
    }

    /** Connects to a port on the loopback address. */
    public static RawClient connect(int port) throws IOException {
        return connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** Connects; a wildcard address is replaced by the loopback address. */
    public static RawClient connect(SocketAddress address) throws IOException {
        return connect(address, 0);
    }

    /**
     * Connects with a small window, for a peer that reads slowly.
     *
     * @param receiveBuffer SO_RCVBUF in bytes; 0 for the system's default
     */
    public static RawClient connect(SocketAddress address, int receiveBuffer) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        InetSocketAddress inet = (InetSocketAddress) address;
        InetAddress host = inet.getAddress();
        socket.connect(
                host.isAnyLocalAddress()
                        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), inet.getPort())
                        : inet,
                (int) Deadline.DEFAULT.toMillis());
        return new RawClient(socket, socket);
    }

    /** A TLS client on this connection, after the handshake. */
    public RawClient secured(TestTls tls) throws IOException {
        return new RawClient(tls.connect(socket), socket);
    }

    /** Sets the deadline of later reads. */
    public RawClient deadline(Duration longest) {
        deadline = longest;
        return this;
    }

    /** Sends text. */
    public RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends bytes; blocks while the peer does not receive them. */
    public RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Ends the output (half-close); reading remains possible. */
    public RawClient finish() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Reads exactly this many bytes. */
    public byte[] read(int count) throws IOException {
        byte[] bytes = new byte[count];
        int got = 0;
        while (got < count) {
            int more = input().read(bytes, got, count - got);
            if (more < 0) {
                throw new EOFException("the peer ended after " + got + " of " + count + " bytes");
            }
            got += more;
        }
        return bytes;
    }

    /** Reads the available bytes: at least one, at most this many; empty at the end. */
    public byte[] readSome(int most) throws IOException {
        byte[] bytes = new byte[most];
        int got = input().read(bytes, 0, most);
        return java.util.Arrays.copyOf(bytes, Math.max(got, 0));
    }

    /** Reads exactly this many bytes as text. */
    public String readText(int count) throws IOException {
        return new String(read(count), StandardCharsets.ISO_8859_1);
    }

    /** Reads up to and including the marker. */
    public String readUntil(String marker) throws IOException {
        StringBuilder text = new StringBuilder();
        InputStream in = input();
        while (!endsWith(text, marker)) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the peer ended before \"" + marker + "\", after \"" + text + '"');
            }
            text.append((char) next);
        }
        return text.toString();
    }

    /** Reads until the peer's end of output. */
    public byte[] readToEnd() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        input().transferTo(all);
        return all.toByteArray();
    }

    /** Reads until the peer's end of output, as text. */
    public String readTextToEnd() throws IOException {
        return new String(readToEnd(), StandardCharsets.ISO_8859_1);
    }

    /** Waits for the peer to end or reset the connection; discards input. */
    public void awaitClose() throws IOException {
        try {
            input().transferTo(java.io.OutputStream.nullOutputStream());
        } catch (SocketTimeoutException stillOpen) {
            throw stillOpen;
        } catch (SocketException | SSLException cut) {
            // closed as well
        }
    }

    /** Waits for the end of the connection; discards input. True if it was reset (RST). */
    public boolean awaitReset() throws IOException {
        try {
            input().transferTo(java.io.OutputStream.nullOutputStream());
            return false;
        } catch (SocketTimeoutException stillOpen) {
            throw stillOpen;
        } catch (IOException cut) {
            boolean reset = false;
            for (Throwable why = cut; why != null; why = why.getCause()) {
                reset |= why instanceof SocketException;
            }
            return reset;
        }
    }

    /** Whether nothing, not even the end, arrives within this time. Otherwise a byte is lost. */
    public boolean isSilentFor(Duration time) throws IOException {
        socket.setSoTimeout((int) Math.max(1, time.toMillis()));
        try {
            socket.getInputStream().read();
            return false;
        } catch (SocketTimeoutException silent) {
            return true;
        }
    }

    /** Closes the connection with a reset (RST). */
    public void reset() throws IOException {
        transport.setSoLinger(true, 0);
        transport.close();
    }

    /** The underlying socket. */
    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private InputStream input() throws IOException {
        socket.setSoTimeout((int) Math.max(1, deadline.toMillis()));
        return socket.getInputStream();
    }

    private static boolean endsWith(StringBuilder text, String marker) {
        int from = text.length() - marker.length();
        return from >= 0 && text.indexOf(marker, from) == from;
    }
}
