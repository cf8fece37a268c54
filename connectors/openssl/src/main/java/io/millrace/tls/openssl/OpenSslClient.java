package io.millrace.tls.openssl;

import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsClientSettings;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.openssl.binding.ClientSsl;
import io.millrace.tls.openssl.binding.ExpectedServer;
import io.millrace.tls.openssl.binding.SavedSession;
import io.millrace.tls.openssl.binding.SslContext;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A TLS client on OpenSSL: a context, and the sessions that its connections may resume. */
final class OpenSslClient implements TlsClientEngines {

    private static final int MARK_LENGTH = 32;

    /** Frees contexts that were not closed. */
    private static final Cleaner CLEANER = Cleaner.create();

    private final SslContext context;
    private final Cleaner.Cleanable end;
    private final boolean verifiesHost;
    private final List<String> offered;
    private final ClientSessions sessions = new ClientSessions(System::nanoTime);
    private final SecureRandom random = new SecureRandom();

    private OpenSslClient(SslContext context, TlsClientOptions options) {
        this.context = context;
        verifiesHost = options.settings().get(TlsClientOptions.VERIFY_HOST_NAME);
        offered = options.applicationProtocols();
        end = CLEANER.register(this, context::close);
    }

    /**
     * Creates a client with these settings.
     *
     * @throws TlsConfigurationException if the library cannot use the certificate, the ciphers or the authorities
     */
    static OpenSslClient of(TlsClientSettings settings) {
        SslContext context = SslContext.ofClients();
        boolean complete = false;
        try {
            setUp(context, settings);
            OpenSslClient made = new OpenSslClient(context, settings.options());
            complete = true;
            return made;
        } finally {
            if (!complete) {
                context.close();
            }
        }
    }

    private static void setUp(SslContext context, TlsClientSettings settings) {
        context.versions(settings.versions());
        TlsClientOptions options = settings.options();
        OpenSslKeys.ciphers(
                context,
                settings.cipherSuites(),
                SecurityLevel.of(options.settings().find(TlsHost.CIPHERS)),
                false);
        if (settings.key() != null) {
            OpenSslKeys.use(context, settings.key());
        }
        try {
            context.verifyServers(authorities(settings));
        } catch (SSLException | GeneralSecurityException refused) {
            String text = "cannot verify servers: " + refused.getMessage();
            throw new TlsConfigurationException(TlsSetting.CA_FILE, text, refused);
        }
        if (options.applicationProtocols().isEmpty()) {
            return;
        }
        try {
            context.applicationProtocols(options.applicationProtocols());
        } catch (SSLException refused) {
            throw new TlsConfigurationException(
                    TlsSetting.IMPLEMENTATION, String.valueOf(refused.getMessage()), refused);
        }
    }

    private static List<byte[]> authorities(TlsClientSettings settings) throws GeneralSecurityException {
        List<X509Certificate> named = settings.authorities();
        List<byte[]> encoded = new ArrayList<>();
        for (X509Certificate authority : named == null ? JdkAuthorities.all() : named) {
            encoded.add(authority.getEncoded());
        }
        return encoded;
    }

    @Override
    public TlsEngine create(String host, int port) throws IOException {
        ExpectedServer server = ExpectedServer.of(host, verifiesHost);
        String name = server.host() + ' ' + port;
        byte[] mark = new byte[MARK_LENGTH];
        random.nextBytes(mark);
        ClientSsl ssl = ClientSsl.begin(
                context, mark, server, offered, session -> sessions.keep(name, session), sessions.take(name));
        String serverName = server.isName() ? server.host() : null;
        return new OpenSslEngine(
                ssl, OpenSslEngine.Role.CLIENT, serverName, InetSocketAddress.createUnresolved(host, port));
    }

    @Override
    public void close() {
        end.clean();
    }

    /**
     * The cache of TLS sessions of a client context, by server. Each session is used once: an observer can correlate two
     * connections that use the same ticket (RFC 8446, C.4). Thread-safe.
     */
    private static final class ClientSessions {

        /** The JDK's default for clients. */
        private static final long MAX_AGE = Duration.ofDays(1).toNanos();

        private static final int MAX_SERVERS = 1024;

        /** Servers usually send two tickets at a time, and a pool opens a few connections together. */
        private static final int MAX_PER_SERVER = 8;

        private record Kept(SavedSession session, long since) {}

        private final LongSupplier nanos;
        private final ReentrantLock lock = new ReentrantLock();

        /** In access order: the least recently used server first. */
        private final Map<String, Deque<Kept>> servers = new LinkedHashMap<>(16, 0.75f, true);

        ClientSessions(LongSupplier nanos) {
            this.nanos = nanos;
        }

        /** Adds a session, evicting the server's oldest one or the least recently used server. */
        void keep(String server, SavedSession session) {
            lock.lock();
            try {
                Deque<Kept> all = servers.computeIfAbsent(server, unknown -> new ArrayDeque<>());
                all.addFirst(new Kept(session, nanos.getAsLong()));
                if (all.size() > MAX_PER_SERVER) {
                    all.removeLast();
                }
                if (servers.size() > MAX_SERVERS) {
                    servers.remove(servers.keySet().iterator().next());
                }
            } finally {
                lock.unlock();
            }
        }

        /** Removes and returns the server's latest session; null if there is none, or it has expired. */
        @Nullable
        SavedSession take(String server) {
            lock.lock();
            try {
                Deque<Kept> all = servers.get(server);
                Kept latest = all == null ? null : all.pollFirst();
                if (latest == null) {
                    return null;
                }
                if (nanos.getAsLong() - latest.since() > MAX_AGE) {
                    servers.remove(server); // the others are older
                    return null;
                }
                return latest.session();
            } finally {
                lock.unlock();
            }
        }
    }
}
