package io.millrace.tls;

import io.millrace.tls.certificate.KeyEntry;
import io.millrace.tls.cipher.CipherList;
import io.millrace.tls.cipher.CipherSuite;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Looks through a configuration without stopping at the first mistake. */
final class JsseInspection {

    private final TlsOptions options;
    private final Instant now;
    private final List<TlsFinding> findings = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    JsseInspection(TlsOptions options, Instant now) {
        this.options = options;
        this.now = now;
    }

    TlsReport report() {
        options.hosts().forEach(this::inspect);
        return new TlsReport(List.copyOf(findings), List.copyOf(lines));
    }

    private void inspect(TlsHost host) {
        List<String> certificates = new ArrayList<>();
        for (TlsCertificate certificate : host.certificates()) {
            guard(host, () -> {
                KeyEntry entry = CertificateLoader.load(certificate);
                certificates.add(CertificateText.describe(entry));
                TlsSetting setting = certificate instanceof TlsCertificate.Pem
                        ? TlsSetting.CERTIFICATE_FILE
                        : TlsSetting.KEYSTORE_FILE;
                CertificateText.warnings(entry, now).forEach(text -> warn(host, certificate, setting, text));
            });
        }
        List<String> versions = new ArrayList<>();
        guard(host, () -> versions.addAll(protocols(host)));
        guard(host, () -> ciphers(host));
        guard(host, () -> ClientTrust.managers(host));
        clients(host);
        tickets(host);
        lines.add("TLS host " + host + (host == options.defaultHost() ? " (default)" : "") + ": JSSE, "
                + String.join(" ", versions) + "; " + String.join("; ", certificates) + "; client certificates "
                + host.clientVerification().name().toLowerCase(java.util.Locale.ROOT));
    }

    private List<String> protocols(TlsHost host) {
        List<String> versions = JsseHost.protocols(host);
        List<String> weak = ProtocolVersions.weak(versions);
        if (!weak.isEmpty()) {
            warn(
                    host,
                    null,
                    TlsSetting.PROTOCOLS,
                    String.join(", ", weak)
                            + " is weak, browsers refuse it, and the JDK offers it only if its java.security allows it");
        }
        return versions;
    }

    private void ciphers(TlsHost host) {
        CipherList list = JsseHost.ciphers(host, context());
        if (!list.missing().isEmpty()) {
            warn(host, null, TlsSetting.CIPHERS, "this Java does not offer " + String.join(", ", list.missing()));
        }
        List<String> broken = list.suites().stream()
                .filter(CipherSuite::isBroken)
                .map(CipherSuite::openSslName)
                .toList();
        if (!broken.isEmpty()) {
            warn(host, null, TlsSetting.CIPHERS, "broken cipher suites are offered: " + String.join(", ", broken));
        }
    }

    private void clients(TlsHost host) {
        boolean verified = host.clientVerification() == ClientVerification.REQUIRED
                || host.clientVerification() == ClientVerification.OPTIONAL;
        if (verified && host.caFile() == null && host.truststore() == null) {
            warn(
                    host,
                    null,
                    TlsSetting.CLIENT_VERIFICATION,
                    "any client certificate is accepted that an authority of the"
                            + " JDK's list signed; name the authorities you trust");
        }
    }

    private void tickets(TlsHost host) {
        if (!host.sessionTickets()) {
            warn(
                    host,
                    null,
                    TlsSetting.SESSION_TICKETS,
                    "JSSE can't do without session tickets on one port; the system"
                            + " property jdk.tls.server.enableSessionTicketExtension=false does for the whole JVM");
        }
    }

    private static SSLContext context() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no TLS", e);
        }
    }

    private void warn(TlsHost host, @Nullable TlsCertificate certificate, TlsSetting setting, String text) {
        findings.add(new TlsFinding(false, host, certificate, setting, text));
    }

    private void guard(TlsHost host, Runnable step) {
        try {
            step.run();
        } catch (TlsConfigurationException e) {
            findings.add(new TlsFinding(
                    true, host, e.certificate().orElse(null), e.setting(), String.valueOf(e.getMessage())));
        }
    }
}
