package io.millrace.tls.openssl.binding;

import io.millrace.tls.openssl.binding.SavedSession.Keeper;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A client's SSL. The library verifies the server's certificate and host name during the handshake; this class checks the
 * result again at its end.
 */
public final class ClientSsl extends Ssl {

    private final ExpectedServer server;
    private final List<String> offered;
    private final Keeper keeper;
    private final @Nullable SavedSession resuming;

    /** The address of the session that was stored last, which is compared and never dereferenced. */
    private long lastStored;

    private ClientSsl(
            SslContext context,
            byte[] mark,
            ExpectedServer server,
            List<String> offered,
            Keeper keeper,
            @Nullable SavedSession resuming)
            throws IOException {
        super(context, mark);
        this.server = server;
        this.offered = offered;
        this.keeper = keeper;
        this.resuming = resuming;
    }

    /**
     * Creates a connection and its first message, which is ready to be sent.
     *
     * @param mark a random id that identifies a new session whenever it is resumed
     * @param server the expected peer
     * @param offered the protocols offered by ALPN
     * @param keeper receives the sessions that later connections may resume
     * @param resuming the session to resume, from an earlier connection to this server; null for none
     * @throws java.nio.channels.ClosedChannelException if the context is closed
     */
    public static ClientSsl begin(
            SslContext context,
            byte[] mark,
            ExpectedServer server,
            List<String> offered,
            Keeper keeper,
            @Nullable SavedSession resuming)
            throws IOException {
        ClientSsl made = new ClientSsl(context, mark, server, offered, keeper, resuming);
        boolean begun = false;
        try {
            made.prepare(made::setUp);
            made.handshake(ByteBuffer.allocate(0));
            begun = true;
            return made;
        } finally {
            if (!begun) {
                made.close();
            }
        }
    }

    private void setUp(long ssl) throws SSLException {
        byte[] address = server.address();
        if (address == null) {
            ClientCalls.serverName(ssl, server.host());
        }
        if (server.isVerified()) {
            if (address == null) {
                ClientCalls.expectHost(ssl, server.host());
            } else {
                ClientCalls.expectAddress(ssl, address);
            }
        }
        if (resuming != null && !ClientCalls.resume(ssl, resuming.encoded())) {
            Errors.clear(); // a full handshake follows
        }
    }

    @Override
    NegotiatedSession complete(MemorySegment room) throws SSLException {
        long ssl = address();
        long result = Errors.verifyResult(ssl);
        if (result != 0 || !ClientCalls.hasPeer(ssl)) {
            throw new SSLException("the server's certificate is refused: "
                    + (result == 0 ? "the server sent none" : Errors.verification(result)));
        }
        NegotiatedSession made =
                NegotiatedSession.ofClient(ssl, mark(), resuming == null ? null : resuming.mark(), room);
        String chosen = made.applicationProtocol();
        if (chosen != null && !offered.contains(chosen)) {
            throw new SSLException(
                    "the server chose a protocol that was not offered by ALPN; expected one of " + offered);
        }
        if (!made.protocol().equals("TLSv1.3")) {
            keep(idOf(made)); // in TLS 1.3 tickets arrive after the handshake
        }
        return made;
    }

    private static byte[] idOf(NegotiatedSession made) {
        byte[] id = new byte[made.id().remaining()];
        made.id().get(made.id().position(), id);
        return id;
    }

    /** Stores the session if the record was a new ticket. */
    @Override
    void onOtherRecord() {
        NegotiatedSession made = facts();
        if (made != null && ClientCalls.session(address()) != lastStored) {
            keep(idOf(made));
        }
    }

    private void keep(byte[] id) {
        lastStored = ClientCalls.session(address());
        byte[] encoded = ClientCalls.encoded(lastStored);
        if (encoded != null) {
            keeper.keep(new SavedSession(encoded, id));
        }
    }

    @Override
    void onHandshakePaused(MemorySegment room) {
        // only servers mark sessions
    }

    @Override
    String peer() {
        return "server";
    }
}
