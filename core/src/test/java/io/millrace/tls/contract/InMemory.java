package io.millrace.tls.contract;

import io.millrace.tls.TlsEngine;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** Connects the JDK's client with an engine of a server in memory. */
public final class InMemory {

    private static final int HEAD = 5;
    private static final int MAX_STEPS = 400;

    private final SSLEngine client;
    private final TlsEngine server;
    private final ByteBuffer toServer = ByteBuffer.allocate(256 * 1024).flip();
    private final ByteBuffer toClient = ByteBuffer.allocate(256 * 1024).flip();
    private final ByteBuffer plain = ByteBuffer.allocateDirect(64 * 1024);

    public InMemory(SSLEngine client, TlsEngine server) {
        this.client = client;
        this.server = server;
    }

    /** Performs the handshake; throws the server's exception if it fails. */
    public InMemory shakeHands() throws SSLException {
        client.beginHandshake();
        for (int step = 0; step < MAX_STEPS && !isDone(); step++) {
            client();
            server();
        }
        if (!isDone()) {
            throw new SSLException("the handshake came to no end");
        }
        return this;
    }

    private boolean isDone() {
        return !server.isHandshaking()
                && !server.hasOutput()
                && client.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
                && !toClient.hasRemaining();
    }

    private void client() throws SSLException {
        for (Runnable task = client.getDelegatedTask(); task != null; task = client.getDelegatedTask()) {
            task.run();
        }
        if (client.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            toServer.compact();
            client.wrap(ByteBuffer.allocate(0), toServer);
            toServer.flip();
        } else if (toClient.hasRemaining()) {
            client.unwrap(toClient, plain.clear());
        }
    }

    private void server() throws SSLException {
        Runnable task = server.takeTask();
        if (task != null) {
            task.run();
            server.unwrap(ByteBuffer.allocate(0), ByteBuffer.allocate(0));
        } else if (server.hasOutput()) {
            collect(new ByteBuffer[0]);
        } else if (toServer.remaining() >= HEAD) {
            server.unwrap(record(), plain.clear());
        }
    }

    private ByteBuffer record() {
        int at = toServer.position();
        int length = HEAD + ((toServer.get(at + 3) & 0xff) << 8 | (toServer.get(at + 4) & 0xff));
        byte[] record = new byte[length];
        toServer.get(record);
        return ByteBuffer.wrap(record);
    }

    private void collect(ByteBuffer[] bytes) throws SSLException {
        ByteBuffer record = ByteBuffer.allocate(TlsEngine.MAX_OUTPUT);
        server.wrap(bytes, record);
        toClient.compact().put(record.flip()).flip();
    }

    /** Sends from the server; returns what the client received. */
    public byte[] send(byte[] bytes) throws SSLException {
        ByteBuffer[] source = {ByteBuffer.wrap(bytes)};
        ByteBuffer received = ByteBuffer.allocate(bytes.length + 16 * 1024);
        while (source[0].hasRemaining()) {
            collect(source);
        }
        while (toClient.hasRemaining()) {
            client.unwrap(toClient, received);
        }
        return Arrays.copyOf(received.array(), received.position());
    }

    /** Sends at most one record from the client; returns what the server received. */
    public byte[] receive(byte[] bytes) throws SSLException {
        toServer.compact();
        client.wrap(ByteBuffer.wrap(bytes), toServer);
        toServer.flip();
        plain.clear();
        while (toServer.hasRemaining()) {
            server.unwrap(record(), plain);
        }
        byte[] received = new byte[plain.flip().remaining()];
        plain.get(received);
        return received;
    }
}
