package io.millrace.tls.jsse;

import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientSettings;
import io.millrace.tls.TlsContext;
import io.millrace.tls.TlsFinding;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsProvider;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.TlsSettings;
import io.millrace.tls.cipher.ProtocolVersions;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/** The JDK's TLS. */
public final class JsseProvider implements TlsProvider {

    public static final JsseProvider INSTANCE = new JsseProvider();

    private JsseProvider() {}

    @Override
    public TlsImplementation implementation() {
        return TlsImplementation.JSSE;
    }

    @Override
    public String describe() {
        return "JSSE";
    }

    @Override
    public List<String> cipherSuites() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[0], ClientTrust.NONE, null);
            return List.of(context.getSupportedSSLParameters().getCipherSuites());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("the JDK has no TLS implementation", impossible);
        }
    }

    @Override
    public List<TlsFinding> remarks(TlsHost host, List<String> versions) {
        List<TlsFinding> remarks = new ArrayList<>();
        if (!ProtocolVersions.weak(versions).isEmpty()) {
            remarks.add(new TlsFinding(
                    false,
                    host,
                    null,
                    TlsSetting.PROTOCOLS,
                    "the JDK offers versions before TLS 1.2 only if its java.security allows them"));
        }
        if (host.get(TlsHost.DISABLE_SESSION_TICKETS)) {
            remarks.add(new TlsFinding(
                    false,
                    host,
                    null,
                    TlsSetting.SESSION_TICKETS,
                    "JSSE cannot disable session tickets for one port; the system property"
                            + " jdk.tls.server.enableSessionTicketExtension=false disables them for the whole JVM"));
        }
        if (!host.ocspResponseFiles().isEmpty()) {
            remarks.add(new TlsFinding(
                    false,
                    host,
                    null,
                    TlsSetting.OCSP_RESPONSE_FILE,
                    "JSSE cannot staple a response from a file; with the system property"
                            + " jdk.tls.server.enableStatusRequestExtension=true it queries the OCSP responder"));
        }
        return remarks;
    }

    /** Does nothing: settings that were read can be used. */
    @Override
    public void check(TlsSettings settings) {
        // creating a context would reveal no further errors
    }

    @Override
    public TlsContext open(TlsSettings settings) {
        return JsseHost.of(settings);
    }

    @Override
    public TlsClientEngines client(TlsClientSettings settings) {
        return JsseClient.of(settings);
    }
}
