package io.millrace.tls.jsse;

import io.millrace.tls.TlsSettings;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of a client. It is sent to every server that supports its key type, whatever authorities the server lists,
 * because such lists are often incomplete.
 */
final class ClientKey extends X509ExtendedKeyManager {

    private static final String ALIAS = "client";

    private final TlsSettings.Key key;

    ClientKey(TlsSettings.Key key) {
        this.key = key;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return Arrays.stream(keyTypes).anyMatch(this::isOfType) ? ALIAS : null;
    }

    /** JSSE names the keys of Ed25519 and Ed448 by their family, certificates by family or curve. */
    private boolean isOfType(String type) {
        return type.equals(key.type()) || type.startsWith("Ed") && key.type().startsWith("Ed");
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return chooseEngineClientAlias(keyTypes, issuers, null);
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return isOfType(keyType) ? new String[] {ALIAS} : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return alias.equals(ALIAS) ? key.chain().toArray(X509Certificate[]::new) : null;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return alias.equals(ALIAS) ? key.key() : null;
    }

    /** Not used by clients. */
    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }
}
