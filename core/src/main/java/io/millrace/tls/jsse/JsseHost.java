package io.millrace.tls.jsse;

import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsContext;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.TlsSettings;
import java.net.SocketAddress;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSessionContext;
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
}
