package io.millrace.standalone.config.connector;

import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.tls.ClientVerification;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsFinding;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsReport;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.material.ReloadingEngines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the TLS configuration of a connector and its files, so that errors are found before anything starts. */
public final class ConnectorTls {

    private final Element connector;
    private final Path base;
    private final Problems problems;

    /** The hosts in the order of the file, each with the reader that knows its lines. */
    private final Map<TlsHost, TlsHostReader> hosts = new LinkedHashMap<>();

    private final IdentityHashMap<TlsCertificate, TlsHostReader> certificates = new IdentityHashMap<>();

    public ConnectorTls(Element connector, Path base, Problems problems) {
        this.connector = connector;
        this.base = base;
        this.problems = problems;
    }

    /**
     * Null without SSLEnabled="true", or after an error.
     *
     * @param usual the implementation if the Connector does not specify one
     */
    public @Nullable TlsOptions read(TlsImplementation usual) {
        List<Element> configs = connector.children("SSLHostConfig");
        if (!connector.get(ConnectorKind.SSL_ENABLED)) {
            withoutTls(configs);
            return null;
        }
        boolean oldWay = TlsKinds.OLD_CERTIFICATE.stream().anyMatch(connector::isSet);
        if (configs.isEmpty() && !oldWay) {
            problems.error(
                    connector.line(ConnectorKind.SSL_ENABLED),
                    "SSLEnabled=\"true\" on Connector: it has no certificate; expected an SSLHostConfig with a Certificate");
            return null;
        }
        boolean complete = oldWay || isWithoutOldNames();
        if (oldWay) {
            TlsHostReader reader = new TlsHostReader(connector, base);
            complete &= add(reader, defaultHost(), List.of(reader));
        }
        for (Element config : configs) {
            List<TlsHostReader> ofCertificates = config.children("Certificate").stream()
                    .map(certificate -> new TlsHostReader(certificate, base))
                    .toList();
            complete &= add(new TlsHostReader(config, base), config.get(TlsKinds.HOST_NAME), ofCertificates);
        }
        return complete && hasDefault() ? build(usual) : null;
    }

    private String defaultHost() {
        return connector.get(TlsOptions.DEFAULT_HOST);
    }

    /** There must be a default host, for clients without SNI or with an unknown name. */
    private boolean hasDefault() {
        String wanted = defaultHost();
        List<String> names = hosts.keySet().stream().map(TlsHost::name).toList();
        if (names.stream().anyMatch(wanted::equalsIgnoreCase)) {
            return true;
        }
        String attribute = TlsOptions.DEFAULT_HOST.name();
        problems.error(
                connector.line(connector.isSet(attribute) ? attribute : ConnectorKind.SSL_ENABLED.name()),
                "no SSLHostConfig has hostName=\"" + wanted
                        + "\", so there is none for clients that name no host of this Connector; set " + attribute
                        + "=\""
                        + names.get(0) + "\" on it, or leave hostName out");
        return false;
    }

    /** Deprecated attributes are ignored beside an SSLHostConfig, and might have restricted access: an error. */
    private boolean isWithoutOldNames() {
        Map<String, String> written = TlsKinds.deprecatedOn(connector);
        written.forEach((old, name) -> problems.error(
                connector.line(old),
                old
                        + " on Connector: ignored because there is an SSLHostConfig; set there, or on its"
                        + " Certificate, " + name));
        return written.isEmpty();
    }

    /** Reports TLS attributes without TLS: the operator may believe that the port is protected. */
    private void withoutTls(List<Element> configs) {
        String state = connector.kind() instanceof AjpConnector
                ? "is for AJP, which has no TLS"
                : "has no SSLEnabled=\"true\"";
        refuseDemand(connector, "clientAuth", state);
        refuseDemand(connector, "SSLVerifyClient", state);
        configs.forEach(config -> refuseDemand(config, "certificateVerification", state));
        String why = " is ignored: its Connector " + state;
        if (!configs.isEmpty()) {
            problems.warning(configs.get(0).line(), "SSLHostConfig" + why);
        }
        TlsKinds.OLD_CERTIFICATE.stream()
                .filter(connector::isSet)
                .forEach(name -> problems.warning(connector.line(name), name + why));
    }

    /** Without TLS, clients that must present a certificate would be admitted without one. */
    private void refuseDemand(Element element, String attribute, String state) {
        String value = element.written(attribute);
        if (value != null && TlsHost.CERTIFICATE_VERIFICATION.type().read(value) == ClientVerification.REQUIRED) {
            problems.error(
                    element.line(),
                    attribute + "=\"" + value + "\" on " + element.name()
                            + ": no client would be asked for a certificate, because its Connector " + state
                            + "; add TLS, or remove the attribute");
        }
    }

    private boolean add(TlsHostReader reader, String name, List<TlsHostReader> ofCertificates) {
        try {
            TlsHost host = reader.host(name);
            for (TlsHostReader each : ofCertificates) {
                TlsCertificate certificate = each.certificate();
                if (certificate == null) {
                    problems.error(
                            each.line(), "Certificate names neither certificateFile nor certificateKeystoreFile");
                } else {
                    certificates.put(certificate, each);
                    host = each.stapled(host.certificate(certificate));
                }
            }
            TlsOptions.of(host); // reports errors of this host at its own line
            hosts.put(host, reader);
            return true;
        } catch (IllegalArgumentException e) {
            problems.error(reader.line(), String.valueOf(e.getMessage()));
            return false;
        }
    }

    private @Nullable TlsOptions build(TlsImplementation usual) {
        try {
            Settings ofAll = Settings.DEFAULTS.with(TlsOptions.IMPLEMENTATION, usual);
            Duration timeout = connector.get(ProtocolOptions.CONNECTION_TIMEOUT);
            if (!timeout.isZero()) {
                ofAll = ofAll.with(TlsOptions.HANDSHAKE_TIMEOUT, timeout);
            }
            TlsOptions options = TlsOptions.of(hosts.keySet().toArray(TlsHost[]::new))
                    .with(ofAll)
                    .with(connector.settings());
            TlsReport report = ReloadingEngines.inspect(options);
            report.findings().forEach(this::report);
            return options;
        } catch (IllegalArgumentException e) {
            problems.error(
                    connector.line(ConnectorKind.SSL_ENABLED), e.getMessage() + " (SSLEnabled=\"true\" on Connector)");
            return null;
        }
    }

    private void report(TlsFinding finding) {
        if (finding.setting() == TlsSetting.IMPLEMENTATION) {
            String name = connector.isSet("sslImplementation") ? "sslImplementation" : "sslImplementationName";
            problems.error(connector.line(name), name + " on Connector: " + finding.text());
            return;
        }
        TlsCertificate certificate = finding.certificate();
        TlsHostReader place = certificate == null ? hosts.get(finding.host()) : certificates.get(certificate);
        int line =
                place == null ? connector.line() : place.line(finding.setting().attribute());
        String text = "TLS host " + finding.host().name() + ": " + finding.text();
        if (finding.isError()) {
            problems.error(line, text);
        } else {
            problems.warning(line, text);
        }
    }
}
