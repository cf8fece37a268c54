package io.millrace.tls.jsse;

import io.millrace.tls.TlsSettings;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of one host, one of each key type. JSSE queries by key type, in the order of the negotiated cipher suites or
 * signature schemes; the result is the certificate of that type, or none.
 */
final class HostKeys extends X509ExtendedKeyManager {

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
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
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
