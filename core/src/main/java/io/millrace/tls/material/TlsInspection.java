package io.millrace.tls.material;

import io.millrace.tls.ClientVerification;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsFinding;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsProvider;
import io.millrace.tls.TlsReport;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.certificate.KeyEntry;
import io.millrace.tls.cipher.CipherList;
import io.millrace.tls.cipher.CipherSuite;
import io.millrace.tls.cipher.ProtocolVersions;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks a configuration, and reports its errors, warnings, certificates and versions. */
final class TlsInspection {

    private final TlsOptions options;
    private final TlsProvider provider;
    private final Instant now;
    private final List<TlsFinding> findings = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    TlsInspection(TlsOptions options, TlsProvider provider, Instant now) {
        this.options = options;
        this.provider = provider;
        this.now = now;
    }

    /** The report on these hosts. */
    TlsReport report(List<HostMaterial> materials) {
        materials.forEach(this::inspect);
        return new TlsReport(
                List.copyOf(findings),
                List.copyOf(lines),
                materials.stream().map(TlsInspection::host).toList());
    }

    private static TlsReport.Host host(HostMaterial material) {
        CipherList ciphers = material.ciphers();
        ClientAuthorities clients = material.authorities();
        List<X509Certificate> authorities = clients == null ? null : clients.authorities();
        return new TlsReport.Host(
                material.host().name(),
                ciphers == null ? List.of() : ciphers.names(),
                material.entries().stream().map(KeyEntry::chain).toList(),
                authorities == null ? List.of() : authorities);
    }

    private void inspect(HostMaterial material) {
        TlsHost host = material.host();
        for (TlsConfigurationException error : material.errors()) {
            findings.add(new TlsFinding(
                    true, host, error.certificate().orElse(null), error.setting(), String.valueOf(error.getMessage())));
        }
        boolean complete = material.entries().size() == host.certificates().size();
        Set<String> types = new HashSet<>();
        for (int i = 0; complete && i < material.entries().size(); i++) {
            KeyEntry entry = material.entries().get(i);
            TlsCertificate certificate = host.certificates().get(i);
            dates(host, certificate, entry);
            if (!types.add(entry.type())) {
                warn(
                        host,
                        certificate,
                        setting(certificate),
                        "a previous certificate has a key of the same type, " + entry.type()
                                + "; only the first of each type is used");
            }
        }
        versions(host, material.versions());
        ciphers(host, material.ciphers());
        clients(host);
        findings.addAll(provider.remarks(host, material.versions()));
        lines.add("TLS host " + host + (host == options.defaultHost() ? " (default)" : "") + ": " + provider.describe()
                + ", "
                + String.join(" ", material.versions()) + "; "
                + material.entries().stream().map(CertificateText::describe).collect(Collectors.joining("; "))
                + "; client certificates "
                + host.get(TlsHost.CERTIFICATE_VERIFICATION).name().toLowerCase(Locale.ROOT));
    }

    private void dates(TlsHost host, TlsCertificate certificate, KeyEntry entry) {
        CertificateText.warnings(entry, now).forEach(text -> warn(host, certificate, setting(certificate), text));
    }

    private static TlsSetting setting(TlsCertificate certificate) {
        return certificate instanceof TlsCertificate.Pem ? TlsSetting.CERTIFICATE_FILE : TlsSetting.KEYSTORE_FILE;
    }

    private void versions(TlsHost host, List<String> versions) {
        List<String> weak = ProtocolVersions.weak(versions);
        if (!weak.isEmpty()) {
            warn(host, null, TlsSetting.PROTOCOLS, String.join(", ", weak) + " is weak, and browsers reject it");
        }
    }

    private void ciphers(TlsHost host, @Nullable CipherList list) {
        if (list == null) {
            return;
        }
        if (!list.missing().isEmpty()) {
            warn(
                    host,
                    null,
                    TlsSetting.CIPHERS,
                    provider.describe() + " does not offer " + String.join(", ", list.missing()));
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
        boolean verified = host.get(TlsHost.CERTIFICATE_VERIFICATION) == ClientVerification.REQUIRED
                || host.get(TlsHost.CERTIFICATE_VERIFICATION) == ClientVerification.OPTIONAL;
        boolean named = host.truststore() != null
                || host.find(TlsHost.CA_CERTIFICATE_FILE) != null
                || host.find(TlsHost.TRUSTSTORE) != null;
        if (verified && !named) {
            warn(
                    host,
                    null,
                    TlsSetting.CLIENT_VERIFICATION,
                    "client certificates of all authorities that the JDK trusts are accepted;"
                            + " configure the authorities to trust");
        }
    }

    private void warn(TlsHost host, @Nullable TlsCertificate certificate, TlsSetting setting, String text) {
        findings.add(new TlsFinding(false, host, certificate, setting, text));
    }
}
