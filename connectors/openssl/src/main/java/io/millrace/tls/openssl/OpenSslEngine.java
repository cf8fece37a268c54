package io.millrace.tls.openssl;

import io.millrace.tls.TlsEngine;
import io.millrace.tls.openssl.binding.NegotiatedSession;
import io.millrace.tls.openssl.binding.Ssl;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A TLS engine on OpenSSL. The library computes inside its calls, so handshake messages that are expensive to process are
 * deferred and become a task.
 */
final class OpenSslEngine implements TlsEngine {

    private static final byte CHANGE_CIPHER_SPEC = 20;
    private static final byte HANDSHAKE = 22;
    private static final byte APPLICATION_DATA = 23;

    /** The message type, the first byte of a message. */
    private static final byte CLIENT_HELLO = 1;

    /** Which end of a connection this is. */
    enum Role {
        CLIENT,
        SERVER,
        /** A server that requests client certificates. */
        VERIFYING_SERVER
    }

    /** The length of a record's header. */
    private static final int HEAD = 5;

    private final Ssl ssl;
    private final Role role;
    private final @Nullable String serverName;
    private final @Nullable InetSocketAddress remote;

    // confined to the owner of the input

    private @Nullable ByteBuffer deferred;
    private boolean encrypted;
    private @Nullable SSLException failure;
    private boolean mayRenegotiate;
    private @Nullable OpenSslSession session;

    OpenSslEngine(Ssl ssl, Role role, @Nullable String serverName, @Nullable InetSocketAddress remote) {
        this.ssl = ssl;
        this.role = role;
        this.serverName = serverName;
        this.remote = remote;
    }

    @Override
    public Status unwrap(ByteBuffer cipher, ByteBuffer plain) throws SSLException {
        SSLException broken = failure;
        if (broken != null) {
            failure = null;
            throw broken;
        }
        if (deferred != null) {
            return Status.NEEDS_TASK;
        }
        if (!cipher.hasRemaining()) {
            return ssl.hasOutput() ? Status.NEEDS_WRAP : Status.NEEDS_INPUT;
        }
        try {
            return ssl.isEstablished() ? read(cipher, plain) : negotiate(cipher);
        } catch (SSLException known) {
            throw known;
        } catch (IOException closed) {
            throw new SSLException("the connection is closed", closed);
        }
    }

    private Status read(ByteBuffer cipher, ByteBuffer plain) throws IOException {
        if (mayRenegotiate && cipher.get(cipher.position()) == HANDSHAKE) {
            // the only message that a peer can send now; see JsseEngine
            throw new SSLException("the peer asked for renegotiation, which is not supported");
        }
        if (plain.remaining() < Math.min(cipher.remaining() - HEAD, 16 * 1024)) {
            return Status.NEEDS_ROOM;
        }
        return switch (ssl.read(cipher, plain)) {
            case DONE, WANTS_INPUT -> Status.PROGRESS;
            case CLOSED -> Status.CLOSED;
        };
    }

    private Status negotiate(ByteBuffer cipher) throws IOException {
        if (isExpensive(cipher)) {
            deferred = ByteBuffer.allocate(cipher.remaining()).put(cipher).flip();
            return Status.NEEDS_TASK;
        }
        return handshake(cipher) == Ssl.Outcome.CLOSED ? Status.CLOSED : Status.PROGRESS;
    }

    /**
     * A ClientHello makes a server sign, even a repeated one; up to TLS 1.2 a further message has the client's key share.
     * Encrypted messages only end the handshake, unless they contain a certificate to be verified. A server's messages are
     * signed, or make the client compute a key.
     */
    private boolean isExpensive(ByteBuffer record) {
        byte contentType = record.get(record.position());
        if (contentType == CHANGE_CIPHER_SPEC || contentType == APPLICATION_DATA) {
            encrypted = true;
        }
        if (contentType == HANDSHAKE) {
            return !encrypted || record.remaining() > HEAD && record.get(record.position() + HEAD) == CLIENT_HELLO;
        }
        return contentType == APPLICATION_DATA && role != Role.SERVER;
    }

    private Ssl.Outcome handshake(ByteBuffer record) throws IOException {
        Ssl.Outcome outcome = ssl.handshake(record);
        NegotiatedSession facts = ssl.facts();
        if (facts != null) {
            mayRenegotiate = !facts.protocol().equals("TLSv1.3");
        }
        return outcome;
    }

    @Override
    public Status wrap(ByteBuffer[] plain, ByteBuffer cipher) throws SSLException {
        try {
            return switch (ssl.write(plain, cipher)) {
                case DONE -> Status.PROGRESS;
                case WANTS_INPUT -> Status.NEEDS_INPUT;
                case CLOSED -> Status.CLOSED;
            };
        } catch (SSLException known) {
            throw known;
        } catch (IOException closed) {
            throw new SSLException("the connection is closed", closed);
        }
    }

    @Override
    public int leastRoom() {
        return 1;
    }

    @Override
    public boolean hasOutput() {
        return ssl.hasOutput();
    }

    @Override
    public boolean isHandshaking() {
        return !ssl.isEstablished();
    }

    @Override
    public @Nullable Runnable takeTask() {
        ByteBuffer record = deferred;
        return record == null ? null : () -> run(record);
    }

    /** Its exceptions are thrown by the next {@link #unwrap}. */
    private void run(ByteBuffer record) {
        deferred = null;
        try {
            if (handshake(record) == Ssl.Outcome.CLOSED) {
                failure = new SSLException("the peer closed the connection");
            }
        } catch (SSLException broken) {
            failure = broken;
        } catch (IOException closed) {
            failure = new SSLException("the connection is closed", closed);
        }
    }

    @Override
    public void closeOutput() {
        ssl.end();
    }

    @Override
    public synchronized SSLSession session() {
        OpenSslSession known = session;
        if (known == null) {
            known = new OpenSslSession(ssl.facts(), serverName, remote);
            if (ssl.isEstablished()) {
                session = known;
            }
        }
        return known;
    }

    @Override
    public @Nullable String applicationProtocol() {
        NegotiatedSession facts = ssl.facts();
        return facts == null ? null : facts.applicationProtocol();
    }

    @Override
    public boolean isResumed() {
        NegotiatedSession facts = ssl.facts();
        return facts != null && facts.resumed();
    }

    @Override
    public void release() {
        ssl.close();
    }
}
