package io.millrace.tls;

import io.millrace.tls.certificate.KeyEntry;
import io.millrace.tls.cipher.CipherList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSessionContext;

/**
 * One host as JSSE has it, from its files as they were at one moment: a context with sessions of its own, and what each
 * engine is set to.
 *
 * @param entries its keys and chains
 */
record JsseHost(SSLContext context, SSLParameters parameters, List<KeyEntry> entries) {

    /** Reads the host's files; throws a {@link TlsConfigurationException} for the first that is wrong. */
    static JsseHost load(TlsHost host, List<String> applicationProtocols) {
        return of(HostMaterial.read(host), applicationProtocols);
    }

    /** Of what was read; throws the first mistake in it. */
    static JsseHost of(HostMaterial material, List<String> applicationProtocols) {
        SSLContext context = material.context();
        CipherList ciphers = material.ciphers();
        if (!material.mistakes().isEmpty() || context == null || ciphers == null) {
            throw material.mistakes().get(0);
        }
        TlsHost host = material.host();
        SSLParameters parameters = context.getDefaultSSLParameters();
        parameters.setProtocols(material.versions().toArray(String[]::new));
        parameters.setCipherSuites(ciphers.names().toArray(String[]::new));
        parameters.setUseCipherSuitesOrder(host.honorCipherOrder());
        parameters.setApplicationProtocols(applicationProtocols.toArray(String[]::new));
        switch (host.clientVerification()) {
            case NONE -> parameters.setWantClientAuth(false);
            case OPTIONAL, OPTIONAL_NO_CA -> parameters.setWantClientAuth(true);
            case REQUIRED -> parameters.setNeedClientAuth(true);
        }
        sessions(context.getServerSessionContext(), host);
        return new JsseHost(context, parameters, material.entries());
    }

    /** Cheap: nothing is read, nothing computed. */
    SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setSSLParameters(parameters);
        return engine;
    }

    /** The suites a host offers, of those that JSSE has. */
    static CipherList ciphers(TlsHost host, SSLContext context) {
        String configured = host.ciphers();
        List<String> supported = List.of(context.getSupportedSSLParameters().getCipherSuites());
        try {
            return configured == null ? CipherList.strong(supported) : CipherList.of(configured, supported);
        } catch (IllegalArgumentException e) {
            throw new TlsConfigurationException(TlsSetting.CIPHERS, String.valueOf(e.getMessage()), e);
        }
    }

    static List<String> versions(TlsHost host) {
        try {
            return ProtocolVersions.parse(host.protocols());
        } catch (IllegalArgumentException e) {
            throw new TlsConfigurationException(TlsSetting.PROTOCOLS, String.valueOf(e.getMessage()), e);
        }
    }

    private static void sessions(SSLSessionContext sessions, TlsHost host) {
        if (host.sessionCacheSize() >= 0) {
            sessions.setSessionCacheSize(host.sessionCacheSize());
        }
        sessions.setSessionTimeout((int) Math.min(host.sessionTimeout().toSeconds(), Integer.MAX_VALUE));
    }
}
