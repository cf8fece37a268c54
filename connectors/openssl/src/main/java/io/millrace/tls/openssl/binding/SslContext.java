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
 * SSL_CTX, of servers or of clients: the settings that connections share, and their sessions. One thread sets it up; then any thread may
 * create connections. A closed context creates no more; it is freed, with its memory, after its last connection.
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

    /** The number of each version, and the option that disables it. */
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

    private final UseCount uses = new UseCount();
    private final Arena arena = Arena.ofShared();
    private final boolean client;
    private final long context;
    private final StapledResponses responses = new StapledResponses(arena);

    /** Applies the common settings: no renegotiation, no compression, and no buffers for idle connections. */
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

    /** A context of servers. */
    public static SslContext ofServers() {
        return new SslContext(false);
    }

    /** A context of clients, whose sessions the caller stores. */
    public static SslContext ofClients() {
        SslContext made = new SslContext(true);
        ContextCalls.control(made.context, ContextCalls.CTRL_SESSION_CACHE_MODE, CACHE_NOTHING, 0);
        return made;
    }

    /** Sets the enabled versions, such as {@code TLSv1.3}. */
    public void versions(List<String> names) {
        long min = Long.MAX_VALUE;
        long max = 0;
        for (Map.Entry<String, long[]> version : VERSIONS.entrySet()) {
            long[] value = version.getValue();
            if (names.contains(version.getKey())) {
                min = Math.min(min, value[0]);
                max = Math.max(max, value[0]);
            } else {
                ContextCalls.options(context, value[1]);
            }
        }
        // overrides the system's configuration
        ContextCalls.control(context, ContextCalls.CTRL_MIN_VERSION, min, 0);
        ContextCalls.control(context, ContextCalls.CTRL_MAX_VERSION, max, 0);
    }

    /**
     * Sets the cipher suites.
     *
     * @param ianaNames in order of preference
     * @param level such as {@code @SECLEVEL=1}; empty for the system's
     * @param serverPreference whether this order takes precedence over the client's
     */
    public void ciphers(List<String> ianaNames, String level, boolean serverPreference) throws SSLException {
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
        if (serverPreference) {
            ContextCalls.options(context, SERVER_PREFERENCE);
        }
    }

    /** Sets a key and its chain, replacing an earlier key of the same type. */
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
     * Staples a response about one of the certificates, for clients that request it, as long as the response is valid.
     *
     * @param ocspResponse DER
     */
    public void staple(byte[] ocspResponse) throws SSLException {
        ContextCalls.staple(context, Callbacks.STAPLE, responses.add(ocspResponse));
    }

    /** Requests client certificates and accepts any. */
    public void requestClientCertificates() {
        ContextCalls.verify(context, VERIFY_PEER, Callbacks.ACCEPT_ANY_CERTIFICATE);
    }

    /**
     * Requests client certificates and verifies them.
     *
     * @param required whether clients without a certificate are rejected
     * @param depth the most certificates between the client's and an authority's
     * @param revocationLists if not empty, must contain a list of the certificate's issuer
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
        // an authority is trusted even if its certificate is not self-signed
        ContextCalls.storeFlags(context, PARTIAL_CHAIN | (revocationLists.isEmpty() ? 0 : CHECK_REVOCATION));
    }

    /** Verifies server certificates; the expected host is set for each connection. */
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
     * Sets how sessions are resumed.
     *
     * @param name the session id context: sessions of other contexts are not resumed; 32 bytes at most
     * @param cacheSize the most sessions in the cache; 0 for no limit; -1 for the library's default
     * @param seconds the lifetime of a session
     * @param tickets whether session tickets are issued
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

    /** Sets the protocols for ALPN, in order of preference. */
    public void applicationProtocols(List<String> names) throws SSLException {
        if (client) {
            ContextCalls.offer(context, Callbacks.encoded(names));
            return;
        }
        ContextCalls.alpn(
                context,
                Callbacks.CHOOSE_PROTOCOL,
                Callbacks.protocols(names, arena).address());
    }

    /** Enables all ciphers and returns the library's names by IANA names. For a context that serves no other purpose. */
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
                if (iana != null && own != null && !needsSharedSecret(iana)) {
                    names.put(iana, own);
                }
            }
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
        return names;
    }

    /** Whether the suite uses shared keys or passwords, not certificates alone. */
    private static boolean needsSharedSecret(String ianaName) {
        return ianaName.contains("_PSK_") || ianaName.contains("_SRP_");
    }

    /** Creates an SSL. The caller calls {@link #leave} when the SSL is freed. */
    long enter() throws ClosedChannelException {
        if (!uses.enter()) {
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
        if (uses.leave()) {
            ContextCalls.free(context);
            arena.close();
            OpenSsl.CONTEXTS.decrementAndGet();
        }
    }

    @Override
    public void close() {
        if (uses.close()) {
            leave();
        }
    }
}
