package io.millrace.tls.openssl;

import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientSettings;
import io.millrace.tls.TlsContext;
import io.millrace.tls.TlsFinding;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsProvider;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.TlsSettings;
import io.millrace.tls.openssl.binding.OpenSsl;
import java.util.List;

/** The implementation of {@link OpenSslProvider}, for Java 22 and later. */
final class OpenSslContexts implements TlsProvider {

    OpenSslContexts() {}

    @Override
    public TlsImplementation implementation() {
        return TlsImplementation.OPENSSL;
    }

    @Override
    public String describe() {
        return OpenSsl.require();
    }

    @Override
    public List<String> cipherSuites() {
        return OpenSsl.cipherSuites();
    }

    @Override
    public List<TlsFinding> remarks(TlsHost host, List<String> versions) {
        boolean old = versions.contains("TLSv1") || versions.contains("TLSv1.1");
        if (!old || SecurityLevel.of(host.find(TlsHost.CIPHERS)).equals("@SECLEVEL=0")) {
            return List.of();
        }
        return List.of(new TlsFinding(
                false,
                host,
                null,
                TlsSetting.PROTOCOLS,
                "OpenSSL offers versions before TLS 1.2 only with @SECLEVEL=0 in ciphers"));
    }

    @Override
    public void check(TlsSettings settings) {
        open(settings).close();
    }

    @Override
    public TlsContext open(TlsSettings settings) {
        describe();
        return new OpenSslHost(settings);
    }

    @Override
    public TlsClientEngines client(TlsClientSettings settings) {
        describe();
        return OpenSslClient.of(settings);
    }
}
