package io.millrace.tls.openssl.binding;

import io.millrace.tls.openssl.binding.ClientSession.Keeper;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * SSL of a client. The library verifies the server's certificate and its name within the handshake; at its end both are
 * looked at again here, because a connection to somebody else is worse than none.
 */
public final class ClientSsl extends Ssl {

    private final ExpectedServer server;
    private final List<String> offered;
    private final Keeper keeper;
    private final @Nullable ClientSession resuming;

    /** The session that was kept last; an address that is compared and not followed. */
    private long kept;

    private ClientSsl(
            SslContext context,
            byte[] mark,
            ExpectedServer server,
            List<String> offered,
            Keeper keeper,
            @Nullable ClientSession resuming)
            throws IOException {
        super(context, mark);
        this.server = server;
        this.offered = offered;
        this.keeper = keeper;
        this.resuming = resuming;
    }

    /**
     * A connection that has its first message to send.
     *
     * @param mark by which a new session is known for as long as it is resumed, at random
     * @param server who the peer must be
     * @param offered by ALPN
     * @param keeper gets what a later connection may resume
     * @param resuming of an earlier connection to this server; null for none
     * @throws java.nio.channels.ClosedChannelException if the context is closed
     */
    public static ClientSsl begin(
            SslContext context,
            byte[] mark,
            ExpectedServer server,
            List<String> offered,
            Keeper keeper,
            @Nullable ClientSession resuming)
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
            Errors.clear(); // then by a whole handshake
        }
    }

    @Override
    NegotiatedSession complete(MemorySegment room) throws SSLException {
        long ssl = address();
        long result = Errors.verifyResult(ssl);
        if (result != 0 || !ClientCalls.hasPeer(ssl)) {
            throw new SSLException("the server's certificate is refused: "
                    + (result == 0 ? "it showed none" : Errors.verification(result)));
        }
        NegotiatedSession made =
                NegotiatedSession.ofClient(ssl, mark(), resuming == null ? null : resuming.mark(), room);
        String chosen = made.applicationProtocol();
        if (chosen != null && !offered.contains(chosen)) {
            throw new SSLException(
                    "the server chose a protocol that was not offered by ALPN; expected one of " + offered);
        }
        if (!made.protocol().equals("TLSv1.3")) {
            keep(idOf(made)); // from there on tickets come after the handshake
        }
        return made;
    }

    private static byte[] idOf(NegotiatedSession made) {
        byte[] id = new byte[made.id().remaining()];
        made.id().get(made.id().position(), id);
        return id;
    }

    /** A ticket has come, for instance, whatever it was. */
    @Override
    void tend() {
        NegotiatedSession made = facts();
        if (made != null && ClientCalls.session(address()) != kept) {
            keep(idOf(made));
        }
    }

    private void keep(byte[] id) {
        kept = ClientCalls.session(address());
        byte[] encoded = ClientCalls.encoded(kept);
        if (encoded != null) {
            keeper.keep(new ClientSession(encoded, id));
        }
    }

    @Override
    void pause(MemorySegment room) {
        // sessions are marked by servers
    }

    @Override
    String peer() {
        return "server";
    }
}
