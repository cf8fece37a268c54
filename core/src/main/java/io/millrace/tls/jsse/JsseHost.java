package io.millrace.tls.jsse;

import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsContext;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.TlsSettings;
import java.net.Socket;
import java.net.SocketAddress;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A host with the JDK's TLS, from its files as read at one time: a context with its own session cache, and the parameters of its
 * engines.
 */
public record JsseHost(SSLContext context, SSLParameters parameters) implements TlsContext {

    /** Blocks: the JDK processes keys and trusted certificates. */
    public static JsseHost of(TlsSettings settings) {
        TlsHost host = settings.host();
        SSLContext context = context(settings);
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setProtocols(settings.versions().toArray(String[]::new));
        parameters.setCipherSuites(settings.cipherSuites().toArray(String[]::new));
        parameters.setUseCipherSuitesOrder(host.get(TlsHost.HONOR_CIPHER_ORDER));
        parameters.setApplicationProtocols(settings.applicationProtocols().toArray(String[]::new));
        switch (host.get(TlsHost.CERTIFICATE_VERIFICATION)) {
            case NONE -> parameters.setWantClientAuth(false);
            case OPTIONAL, OPTIONAL_NO_CA -> parameters.setWantClientAuth(true);
            case REQUIRED -> parameters.setNeedClientAuth(true);
        }
        sessions(context.getServerSessionContext(), host);
        return new JsseHost(context, parameters);
    }

    private static SSLContext context(TlsSettings settings) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new HostKeys(settings.keys())}, ClientTrust.managers(settings), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new TlsConfigurationException(
                    TlsSetting.CERTIFICATE_FILE,
                    "the JDK cannot use the certificates of " + settings.host() + ": " + e,
                    e);
        }
    }

    @Override
    public TlsEngine engine(@Nullable String serverName, SocketAddress remote) throws SSLException {
        return new JsseEngine(engine());
    }

    /** Cheap: reads no files and computes nothing. */
    public SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setSSLParameters(parameters);
        return engine;
    }

    @Override
    public void close() {
        // no memory outside of the heap
    }

    private static void sessions(SSLSessionContext sessions, TlsHost host) {
        if (host.get(TlsHost.SESSION_CACHE_SIZE) >= 0) {
            sessions.setSessionCacheSize(host.get(TlsHost.SESSION_CACHE_SIZE));
        }
        sessions.setSessionTimeout(
                (int) Math.min(host.get(TlsHost.SESSION_TIMEOUT).toSeconds(), Integer.MAX_VALUE));
    }

    /**
     * The certificates of one host, one of each key type. JSSE queries by key type, in the order of the negotiated cipher suites or
     * signature schemes; the result is the certificate of that type, or none.
     */
    private static final class HostKeys extends X509ExtendedKeyManager {

        private final Map<String, TlsSettings.Key> byType = new LinkedHashMap<>();

        HostKeys(List<TlsSettings.Key> entries) {
            entries.forEach(entry -> byType.putIfAbsent(entry.type(), entry));
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            if (byType.containsKey(keyType)) {
                return keyType;
            }
            // JSSE names the keys of Ed25519 and Ed448 by their family, certificates by family or curve
            return byType.keySet().stream()
                    .filter(type -> keyType.startsWith("Ed") && type.startsWith("Ed"))
                    .findFirst()
                    .orElse(null);
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return chooseEngineServerAlias(keyType, issuers, null);
        }

        @Override
        public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            String alias = chooseEngineServerAlias(keyType, issuers, null);
            return alias == null ? null : new String[] {alias};
        }

        @Override
        public X509Certificate @Nullable [] getCertificateChain(String alias) {
            TlsSettings.Key entry = byType.get(alias);
            return entry == null ? null : entry.chain().toArray(X509Certificate[]::new);
        }

        @Override
        public @Nullable PrivateKey getPrivateKey(String alias) {
            TlsSettings.Key entry = byType.get(alias);
            return entry == null ? null : entry.key();
        }

        /** Not used by servers. */
        @Override
        public @Nullable String chooseClientAlias(
                String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }

        @Override
        public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
            return null;
        }
    }
}
