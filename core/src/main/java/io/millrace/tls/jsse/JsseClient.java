package io.millrace.tls.jsse;

import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsClientSettings;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.TlsSettings;
import io.millrace.tls.certificate.TrustedAuthorities;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Creates the engines of a client with the JDK's TLS: a context with a session cache, and the parameters of each engine. */
public final class JsseClient implements TlsClientEngines {

    /** The JDK's name for host name verification as in browsers (RFC 2818, RFC 6125). */
    private static final String HOST_NAME_RULES = "HTTPS";

    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

    private final SSLContext context;
    private final SSLParameters parameters;

    private JsseClient(SSLContext context, SSLParameters parameters) {
        this.context = context;
        this.parameters = parameters;
    }

    /**
     * A client with these settings.
     *
     * @throws TlsConfigurationException if the JDK cannot use the certificate or the authorities
     */
    public static JsseClient of(TlsClientSettings settings) {
        SSLContext context = context(settings);
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setProtocols(settings.versions().toArray(String[]::new));
        parameters.setCipherSuites(settings.cipherSuites().toArray(String[]::new));
        TlsClientOptions options = settings.options();
        parameters.setApplicationProtocols(options.applicationProtocols().toArray(String[]::new));
        parameters.setEndpointIdentificationAlgorithm(
                options.settings().get(TlsClientOptions.VERIFY_HOST_NAME) ? HOST_NAME_RULES : null);
        return new JsseClient(context, parameters);
    }

    /**
     * A client with the application's context and its trust managers. Host names are verified nevertheless.
     *
     * @param versions {@code TLSv1.3}, for example; empty for the context's defaults
     * @param applicationProtocols offered by ALPN, in order of preference; empty for no ALPN
     */
    public static JsseClient of(SSLContext context, List<String> versions, List<String> applicationProtocols) {
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setApplicationProtocols(applicationProtocols.toArray(String[]::new));
        if (!versions.isEmpty()) {
            parameters.setProtocols(versions.toArray(String[]::new));
        }
        parameters.setEndpointIdentificationAlgorithm(HOST_NAME_RULES);
        return new JsseClient(context, parameters);
    }

    private static SSLContext context(TlsClientSettings settings) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            List<X509Certificate> authorities = settings.authorities();
            context.init(
                    keys(settings.key()),
                    authorities == null ? null : TrustedAuthorities.managers(authorities), // null: the JDK's
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new TlsConfigurationException(
                    TlsSetting.CERTIFICATE_FILE, "the JDK cannot use the certificates of the client: " + e, e);
        }
    }

    private static KeyManager @Nullable [] keys(TlsSettings.@Nullable Key key) {
        return key == null ? new KeyManager[0] : new KeyManager[] {new ClientKey(key)};
    }

    /** Cheap: reads no files and computes nothing. */
    @Override
    public TlsEngine create(String host, int port) throws SSLException {
        SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        engine.setSSLParameters(parameters);
        if (!ADDRESS.matcher(host).matches()) {
            SSLParameters withName = engine.getSSLParameters();
            withName.setServerNames(List.of(serverName(host)));
            engine.setSSLParameters(withName);
        }
        return new JsseEngine(engine);
    }

    private static SNIHostName serverName(String host) throws SSLException {
        try {
            return new SNIHostName(host);
        } catch (IllegalArgumentException malformed) {
            throw new SSLException("the host name cannot be sent to the server: " + malformed.getMessage(), malformed);
        }
    }

    /**
     * The certificate of a client. It is sent to every server that supports its key type, whatever authorities the server lists,
     * because such lists are often incomplete.
     */
    private static final class ClientKey extends X509ExtendedKeyManager {

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
            return type.equals(key.type())
                    || type.startsWith("Ed") && key.type().startsWith("Ed");
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
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }

        @Override
        public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            return null;
        }
    }
}
