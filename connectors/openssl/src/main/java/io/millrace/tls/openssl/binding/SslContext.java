package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.io.socket.UseCount;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;

/**
 * SSL_CTX, of servers or of clients: what connections have in common, and their sessions. It is set up by one thread, and then makes
 * connections for any. Closed, it makes no more; it is freed, with what was allocated for it, when its last connection is.
 */
public final class SslContext implements AutoCloseable {

    // modes

    private static final int ENABLE_PARTIAL_WRITE = 0x1;
    private static final int MOVING_WRITE_BUFFER = 0x2;
    private static final int NO_AUTO_CHAIN = 0x8;
    private static final int RELEASE_BUFFERS = 0x10;

    // options

    private static final long NO_TICKET = 1L << 14;
    private static final long NO_COMPRESSION = 1L << 17;
    private static final long SERVER_PREFERENCE = 1L << 22;
    private static final long NO_RENEGOTIATION = 1L << 30;

    /** The number of each version, and the option that leaves it out. */
    private static final Map<String, long[]> VERSIONS = Map.of(
            "TLSv1", new long[] {0x301, 1L << 26},
            "TLSv1.1", new long[] {0x302, 1L << 28},
            "TLSv1.2", new long[] {0x303, 1L << 27},
            "TLSv1.3", new long[] {0x304, 1L << 29});

    private static final int CACHE_NOTHING = 0;
    private static final int CACHE_FOR_SERVER = 2;
    private static final int VERIFY_PEER = 1;
    private static final int FAIL_IF_NO_CERTIFICATE = 2;
    private static final long CHECK_REVOCATION = 0x4;
    private static final long PARTIAL_CHAIN = 0x80000;

    private static final String EVERY_CIPHER = "ALL:COMPLEMENTOFALL:@SECLEVEL=0";
    private static final String EVERY_CIPHER_13 = "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
            + ":TLS_AES_128_GCM_SHA256:TLS_AES_128_CCM_SHA256:TLS_AES_128_CCM_8_SHA256";

    private static final MethodHandle COUNT = OpenSslLibrary.ofInt("OPENSSL_sk_num", JAVA_LONG);
    private static final MethodHandle ELEMENT = OpenSslLibrary.ofLong("OPENSSL_sk_value", JAVA_LONG, JAVA_INT);
    private static final MethodHandle CIPHER_NAME = OpenSslLibrary.ofLong("SSL_CIPHER_get_name", JAVA_LONG);
    private static final MethodHandle STANDARD_NAME = OpenSslLibrary.ofLong("SSL_CIPHER_standard_name", JAVA_LONG);

    private final UseCount gate = new UseCount();
    private final Arena arena = Arena.ofShared();
    private final boolean client;
    private final long context;
    private final StapledResponses responses = new StapledResponses(arena);

    /** With what holds for all: no renegotiation, no compression, and no memory for connections that are idle. */
    private SslContext(boolean client) {
        this.client = client;
        context = ContextCalls.create(client);
        OpenSsl.CONTEXTS.incrementAndGet();
        ContextCalls.control(
                context,
                ContextCalls.CTRL_MODE,
                ENABLE_PARTIAL_WRITE | MOVING_WRITE_BUFFER | NO_AUTO_CHAIN | RELEASE_BUFFERS,
                0);
        ContextCalls.options(context, NO_RENEGOTIATION | NO_COMPRESSION);
        ContextCalls.control(context, ContextCalls.CTRL_DH_AUTO, 1, 0);
    }

    /** Of servers. */
    public static SslContext ofServers() {
        return new SslContext(false);
    }

    /** Of clients, which keep their sessions themselves. */
    public static SslContext ofClients() {
        SslContext made = new SslContext(true);
        ContextCalls.control(made.context, ContextCalls.CTRL_SESSION_CACHE_MODE, CACHE_NOTHING, 0);
        return made;
    }

    /** The versions offered: {@code TLSv1.3} and its like. */
    public void versions(List<String> names) {
        long least = Long.MAX_VALUE;
        long latest = 0;
        for (Map.Entry<String, long[]> version : VERSIONS.entrySet()) {
            long[] value = version.getValue();
            if (names.contains(version.getKey())) {
                least = Math.min(least, value[0]);
                latest = Math.max(latest, value[0]);
            } else {
                ContextCalls.options(context, value[1]);
            }
        }
        // over what the system's configuration says
        ContextCalls.control(context, ContextCalls.CTRL_LEAST_VERSION, least, 0);
        ContextCalls.control(context, ContextCalls.CTRL_LATEST_VERSION, latest, 0);
    }

    /**
     * The suites offered.
     *
     * @param ianaNames the most wanted first
     * @param level {@code @SECLEVEL=1}, for instance; empty for the system's
     * @param oursDecides whether this order counts, or the client's
     */
    public void ciphers(List<String> ianaNames, String level, boolean oursDecides) throws SSLException {
        List<String> before13 = new ArrayList<>();
        List<String> since13 = new ArrayList<>();
        for (String ianaName : ianaNames) {
            String name = OpenSsl.cipher(ianaName);
            if (name != null) {
                (name.startsWith("TLS_") ? since13 : before13).add(name);
            }
        }
        ContextCalls.ciphers13(context, String.join(":", since13));
        if (!before13.isEmpty()) {
            ContextCalls.ciphers(context, String.join(":", before13) + (level.isEmpty() ? "" : ":" + level));
        }
        if (oursDecides) {
            ContextCalls.options(context, SERVER_PREFERENCE);
        }
    }

    /** A key and its chain, in place of an earlier one of its type. */
    public void key(byte[] pkcs8, List<byte[]> chain) throws SSLException {
        for (int i = 0; i < chain.size(); i++) {
            long certificate = Certificates.certificate(chain.get(i));
            try {
                if (i == 0) {
                    ContextCalls.certificate(context, certificate);
                    responses.add(certificate);
                } else {
                    ContextCalls.chainCertificate(context, certificate);
                }
            } finally {
                Certificates.free(certificate);
            }
        }
        long key = Certificates.key(pkcs8);
        try {
            ContextCalls.key(context, key);
        } finally {
            Certificates.freeKey(key);
        }
    }

    /**
     * Tells clients that ask what a responder said of one of the certificates, for as long as that holds.
     *
     * @param ocspResponse DER
     */
    public void staple(byte[] ocspResponse) throws SSLException {
        ContextCalls.staple(context, Callbacks.STAPLE, responses.add(ocspResponse));
    }

    /** Asks clients for a certificate and takes any. */
    public void askClients() {
        ContextCalls.verify(context, VERIFY_PEER, Callbacks.TAKE_ANY_CERTIFICATE);
    }

    /**
     * Asks clients for a certificate and verifies it.
     *
     * @param required whether one without is refused
     * @param depth how many may stand between it and an authority
     * @param revocationLists if there are any, there must be one of whoever signed it
     */
    public void verifyClients(boolean required, int depth, List<byte[]> authorities, List<byte[]> revocationLists)
            throws SSLException {
        ContextCalls.verify(context, VERIFY_PEER | (required ? FAIL_IF_NO_CERTIFICATE : 0), 0);
        ContextCalls.verifyDepth(context, depth);
        trust(authorities);
        for (byte[] list : revocationLists) {
            long read = Certificates.revocationList(list);
            try {
                ContextCalls.revocationList(context, read);
            } finally {
                Certificates.freeRevocationList(read);
            }
        }
        // who is named here is trusted, whether or not somebody else signed it
        ContextCalls.storeFlags(context, PARTIAL_CHAIN | (revocationLists.isEmpty() ? 0 : CHECK_REVOCATION));
    }

    /** Demands a certificate of servers and verifies it; whom it is to be for is said for each connection. */
    public void verifyServers(List<byte[]> authorities) throws SSLException {
        ContextCalls.verify(context, VERIFY_PEER, 0);
        trust(authorities);
        ContextCalls.storeFlags(context, PARTIAL_CHAIN);
    }

    private void trust(List<byte[]> authorities) throws SSLException {
        for (byte[] authority : authorities) {
            long certificate = Certificates.certificate(authority);
            try {
                ContextCalls.trust(context, certificate);
                if (!client) {
                    ContextCalls.announce(context, certificate);
                }
            } finally {
                Certificates.free(certificate);
            }
        }
    }

    /**
     * How sessions are resumed.
     *
     * @param name of the group of sessions: nobody else's are taken; 32 bytes at most
     * @param cacheSize how many are remembered; 0 without limit; -1 for the library's default
     * @param tickets whether clients keep them themselves
     */
    public void sessions(byte[] name, int cacheSize, long seconds, boolean tickets) throws SSLException {
        ContextCalls.sessionIdContext(context, name);
        ContextCalls.control(context, ContextCalls.CTRL_SESSION_CACHE_MODE, CACHE_FOR_SERVER, 0);
        if (cacheSize >= 0) {
            ContextCalls.control(context, ContextCalls.CTRL_SESSION_CACHE_SIZE, cacheSize, 0);
        }
        ContextCalls.timeout(context, seconds);
        if (!tickets) {
            ContextCalls.options(context, NO_TICKET);
        }
    }

    /** The protocols offered by ALPN, the most wanted first. */
    public void applicationProtocols(List<String> names) throws SSLException {
        if (client) {
            ContextCalls.offer(context, Callbacks.listed(names));
            return;
        }
        ContextCalls.alpn(
                context,
                Callbacks.CHOOSE_PROTOCOL,
                Callbacks.protocols(names, arena).address());
    }

    /** The library's names by IANA's. Of a context that serves for nothing else. */
    Map<String, String> everyCipher() throws SSLException {
        ContextCalls.ciphers(context, EVERY_CIPHER);
        ContextCalls.ciphers13(context, EVERY_CIPHER_13);
        Map<String, String> names = new LinkedHashMap<>();
        try {
            long all = ContextCalls.ciphers(context);
            int count = (int) COUNT.invokeExact(all);
            for (int i = 0; i < count; i++) {
                long cipher = (long) ELEMENT.invokeExact(all, i);
                String iana = OpenSslLibrary.text((long) STANDARD_NAME.invokeExact(cipher));
                String own = OpenSslLibrary.text((long) CIPHER_NAME.invokeExact(cipher));
                if (iana != null && own != null && !needsMore(iana)) {
                    names.put(iana, own);
                }
            }
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
        return names;
    }

    /** Than a certificate: shared keys or passwords. */
    private static boolean needsMore(String ianaName) {
        return ianaName.contains("_PSK_") || ianaName.contains("_SRP_");
    }

    /** A new SSL, which must be followed by {@link #leave} when it is freed. */
    long enter() throws ClosedChannelException {
        if (!gate.enter()) {
            throw new ClosedChannelException();
        }
        boolean made = false;
        try {
            long ssl = SslCalls.create(context, client);
            made = true;
            return ssl;
        } finally {
            if (!made) {
                leave();
            }
        }
    }

    void leave() {
        if (gate.leave()) {
            ContextCalls.free(context);
            arena.close();
            OpenSsl.CONTEXTS.decrementAndGet();
        }
    }

    @Override
    public void close() {
        if (gate.close()) {
            leave();
        }
    }
}
