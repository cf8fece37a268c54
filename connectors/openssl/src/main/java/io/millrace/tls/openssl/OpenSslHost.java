package io.millrace.tls.openssl;

import io.millrace.text.Digests;
import io.millrace.tls.ClientVerification;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsContext;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.TlsSettings;
import io.millrace.tls.openssl.binding.Ssl;
import io.millrace.tls.openssl.binding.SslContext;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The OpenSSL context of one host, with the contents that its files had when it was created. */
final class OpenSslHost implements TlsContext {

    private static final int MARK_LENGTH = 32;

    /** Seven days, the longest lifetime of a ticket (RFC 8446, 4.6.1). */
    private static final long MAX_SECONDS = 604_800;

    private final SslContext context = SslContext.ofServers();
    private final SecureRandom random = new SecureRandom();
    private final boolean requestsCertificates;

    /** @throws TlsConfigurationException if the library refuses a setting */
    OpenSslHost(TlsSettings settings) {
        TlsHost host = settings.host();
        requestsCertificates = host.get(TlsHost.CERTIFICATE_VERIFICATION) != ClientVerification.NONE;
        boolean complete = false;
        try {
            context.versions(settings.versions());
            OpenSslKeys.ciphers(
                    context,
                    settings.cipherSuites(),
                    SecurityLevel.of(host.find(TlsHost.CIPHERS)),
                    host.get(TlsHost.HONOR_CIPHER_ORDER));
            for (TlsSettings.Key key : settings.keys()) {
                OpenSslKeys.use(context, key);
            }
            staple(settings);
            clients(settings);
            context.sessions(
                    Digests.sha256(host.name()),
                    host.get(TlsHost.SESSION_CACHE_SIZE),
                    lifetime(host.get(TlsHost.SESSION_TIMEOUT).toSeconds()),
                    !host.get(TlsHost.DISABLE_SESSION_TICKETS));
            if (!settings.applicationProtocols().isEmpty()) {
                context.applicationProtocols(settings.applicationProtocols());
            }
            complete = true;
        } catch (SSLException refused) {
            throw new TlsConfigurationException(
                    TlsSetting.CERTIFICATE_FILE, String.valueOf(refused.getMessage()), refused);
        } finally {
            if (!complete) {
                context.close();
            }
        }
    }

    private void staple(TlsSettings settings) {
        for (TlsSettings.OcspResponse response : settings.ocspResponses()) {
            try {
                byte[] der = new byte[response.der().remaining()];
                response.der().duplicate().get(der);
                context.staple(der);
            } catch (SSLException refused) {
                String text = response.source() + ": " + refused.getMessage();
                throw new TlsConfigurationException(TlsSetting.OCSP_RESPONSE_FILE, text, refused);
            }
        }
    }

    private void clients(TlsSettings settings) {
        TlsHost host = settings.host();
        try {
            switch (host.get(TlsHost.CERTIFICATE_VERIFICATION)) {
                case NONE -> {}
                case OPTIONAL_NO_CA -> context.requestClientCertificates();
                case OPTIONAL, REQUIRED ->
                    context.verifyClients(
                            host.get(TlsHost.CERTIFICATE_VERIFICATION) == ClientVerification.REQUIRED,
                            host.get(TlsHost.CERTIFICATE_VERIFICATION_DEPTH),
                            authorities(settings),
                            lists(settings));
            }
        } catch (SSLException | GeneralSecurityException refused) {
            String text = "cannot verify clients: " + refused.getMessage();
            throw new TlsConfigurationException(TlsSetting.CLIENT_VERIFICATION, text, refused);
        }
    }

    private static List<byte[]> authorities(TlsSettings settings) throws GeneralSecurityException {
        List<X509Certificate> named = settings.authorities();
        List<byte[]> encoded = new ArrayList<>();
        for (X509Certificate authority : named == null ? JdkAuthorities.all() : named) {
            encoded.add(authority.getEncoded());
        }
        return encoded;
    }

    private static List<byte[]> lists(TlsSettings settings) throws GeneralSecurityException {
        List<X509CRL> lists = settings.revocationLists();
        List<byte[]> encoded = new ArrayList<>();
        for (X509CRL list : lists == null ? List.<X509CRL>of() : lists) {
            encoded.add(list.getEncoded());
        }
        return encoded;
    }

    /** 0, no limit, is the longest lifetime of a ticket. */
    private static long lifetime(long seconds) {
        return seconds == 0 ? MAX_SECONDS : Math.min(seconds, MAX_SECONDS);
    }

    @Override
    public TlsEngine engine(@Nullable String serverName, SocketAddress remote) throws ClosedChannelException {
        byte[] mark = new byte[MARK_LENGTH];
        random.nextBytes(mark);
        InetSocketAddress peer = remote instanceof InetSocketAddress inet ? inet : null;
        return new OpenSslEngine(
                new Ssl(context, mark),
                requestsCertificates ? OpenSslEngine.Role.VERIFYING_SERVER : OpenSslEngine.Role.SERVER,
                serverName,
                peer);
    }

    @Override
    public void close() {
        context.close();
    }
}
