package io.millrace.standalone.config;

import io.millrace.protocol.ProtocolOptions;
import io.millrace.tls.ClientVerification;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsFinding;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsHostBuilder;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsOptionsBuilder;
import io.millrace.tls.TlsReport;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.material.ReloadingEngines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads how a connector speaks TLS, and looks into its files: mistakes are found before anything starts. */
final class ServerXmlTlsReader {

    private static final String DEFAULT_HOST = "_default_";

    private final ConfigElement connector;
    private final Values values;
    private final Path base;
    private final Problems problems;
    private final IdentityHashMap<TlsHost, Place> hosts = new IdentityHashMap<>();
    private final IdentityHashMap<TlsCertificate, Place> certificates = new IdentityHashMap<>();

    private record Place(Values values, TlsNames names) {}

    ServerXmlTlsReader(ConfigElement connector, Values values, Path base, Problems problems) {
        this.connector = connector;
        this.values = values;
        this.base = base;
        this.problems = problems;
    }

    /**
     * Null without SSLEnabled="true", or after an error.
     *
     * @param usual whose TLS it is if the Connector does not say
     */
    @Nullable
    TlsOptions read(TlsImplementation usual) {
        List<ConfigElement> configs = connector.children("SSLHostConfig");
        if (!values.flag("SSLEnabled")) {
            withoutTls(configs);
            return null;
        }
        boolean oldWay = TlsVocabulary.OLD_CERTIFICATE.stream().anyMatch(values::isSet);
        if (configs.isEmpty() && !oldWay) {
            problems.error(
                    values.line("SSLEnabled"),
                    "SSLEnabled=\"true\" on Connector: it has no certificate; expected an SSLHostConfig with a Certificate");
            return null;
        }
        TlsOptionsBuilder options = TlsOptions.builder();
        boolean complete = oldWay || isWithoutOldNames();
        if (oldWay) {
            TlsHostReader reader = new TlsHostReader(values, TlsNames.ON_CONNECTOR, base);
            Place place = new Place(values, TlsNames.ON_CONNECTOR);
            complete &= add(options, reader, place, values.text("defaultSSLHostConfigName", DEFAULT_HOST), List.of());
        }
        for (ConfigElement config : configs) {
            Values own = new Values(config, TlsVocabulary.SSL_HOST_CONFIG);
            TlsHostReader reader = new TlsHostReader(own, TlsNames.OWN, base);
            complete &= add(
                    options,
                    reader,
                    new Place(own, TlsNames.OWN),
                    own.text("hostName", DEFAULT_HOST),
                    config.children("Certificate"));
        }
        return complete && hasDefault(configs, oldWay) ? build(options, usual) : null;
    }

    /** Clients that name no host, or none that is here, must find one. */
    private boolean hasDefault(List<ConfigElement> configs, boolean oldWay) {
        String wanted = values.text("defaultSSLHostConfigName", DEFAULT_HOST);
        List<String> names = configs.stream()
                .map(config -> new Values(config, TlsVocabulary.SSL_HOST_CONFIG).text("hostName", DEFAULT_HOST))
                .toList();
        if (oldWay || names.stream().anyMatch(wanted::equalsIgnoreCase)) {
            return true;
        }
        problems.error(
                values.line(values.isSet("defaultSSLHostConfigName") ? "defaultSSLHostConfigName" : "SSLEnabled"),
                "no SSLHostConfig has hostName=\"" + wanted
                        + "\", so clients that name no host of this Connector would find"
                        + " none; say defaultSSLHostConfigName=\"" + names.get(0) + "\" on it, or leave hostName out");
        return false;
    }

    /** Of a host of its own they would be heard; whoever writes them beside SSLHostConfig may think that they are. */
    private boolean isWithoutOldNames() {
        boolean without = true;
        for (Map.Entry<String, String> names : TlsNames.deprecated().entrySet()) {
            String old = names.getKey();
            if (values.isSet(old)) {
                without = false;
                problems.error(
                        values.line(old),
                        old
                                + " on Connector: ignored because there is an SSLHostConfig; set there, or on its Certificate, "
                                + names.getValue());
            }
        }
        return without;
    }

    /** Whoever names a certificate may think that the port is protected. */
    private void withoutTls(List<ConfigElement> configs) {
        String state = Protocols.isAjp(values.text("protocol"))
                ? "speaks AJP, which has no TLS"
                : "does not say SSLEnabled=\"true\"";
        refuseDemand(connector, "clientAuth", state);
        refuseDemand(connector, "SSLVerifyClient", state);
        configs.forEach(config -> refuseDemand(config, "certificateVerification", state));
        String why = " without effect: its Connector " + state;
        if (!configs.isEmpty()) {
            problems.warning(configs.get(0).line(), "SSLHostConfig" + why);
        }
        TlsVocabulary.OLD_CERTIFICATE.stream()
                .filter(values::isSet)
                .forEach(name -> problems.warning(values.line(name), name + why));
    }

    /** Where no TLS is spoken nobody is asked for a certificate: who must show one would be let in without. */
    private void refuseDemand(ConfigElement element, String attribute, String state) {
        String value = element.value(attribute);
        if (value != null && TlsHostReader.verification(value) == ClientVerification.REQUIRED) {
            problems.error(
                    element.line(),
                    attribute + "=\"" + value + "\" on " + element.name()
                            + ": no client would be asked for a certificate, because its Connector " + state
                            + "; add TLS, or remove the attribute");
        }
    }

    private boolean add(
            TlsOptionsBuilder options, TlsHostReader reader, Place place, String name, List<ConfigElement> elements) {
        try {
            TlsHostBuilder builder = reader.host(name);
            if (place.names == TlsNames.ON_CONNECTOR) {
                add(builder, reader, place);
            }
            for (ConfigElement element : elements) {
                Values own = new Values(element, TlsVocabulary.CERTIFICATE);
                add(builder, new TlsHostReader(own, TlsNames.OWN, base), new Place(own, TlsNames.OWN));
            }
            TlsHost host = builder.build();
            hosts.put(host, place);
            options.host(host);
            return true;
        } catch (IllegalArgumentException e) {
            problems.error(place.values.line(), String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void add(TlsHostBuilder host, TlsHostReader reader, Place place) {
        TlsCertificate certificate = reader.certificate();
        if (certificate == null) {
            problems.error(
                    place.values.line(), "Certificate names neither certificateFile nor certificateKeystoreFile");
        } else {
            certificates.put(certificate, place);
            host.certificate(certificate);
            reader.stapled(host);
        }
    }

    private @Nullable TlsOptions build(TlsOptionsBuilder builder, TlsImplementation usual) {
        try {
            builder.implementation(implementation(usual));
            builder.defaultHostName(values.text("defaultSSLHostConfigName", DEFAULT_HOST));
            if (values.has("strictSni")) {
                builder.strictSni(!"false".equalsIgnoreCase(values.text("strictSni")));
            }
            Duration timeout = values.settings().get(ProtocolOptions.CONNECTION_TIMEOUT);
            if (!timeout.isZero()) {
                builder.handshakeTimeout(timeout);
            }
            TlsOptions options = builder.build();
            TlsReport report = ReloadingEngines.inspect(options);
            report.findings().forEach(this::report);
            return options;
        } catch (IllegalArgumentException e) {
            problems.error(values.line("SSLEnabled"), e.getMessage() + " (SSLEnabled=\"true\" on Connector)");
            return null;
        }
    }

    private TlsImplementation implementation(TlsImplementation usual) {
        String text = values.text("sslImplementation");
        if (text == null && values.text("sslImplementationName") == null) {
            return usual;
        }
        if (text == null) {
            text = TlsVocabulary.implementation(values.text("sslImplementationName", ""));
        }
        return TlsImplementation.valueOf(text.strip().toUpperCase(Locale.ROOT));
    }

    private void report(TlsFinding finding) {
        if (finding.setting() == TlsSetting.IMPLEMENTATION) {
            String name = values.isSet("sslImplementation") ? "sslImplementation" : "sslImplementationName";
            problems.error(values.line(name), name + " on Connector: " + finding.text());
            return;
        }
        TlsCertificate certificate = finding.certificate();
        Place place = certificate == null ? hosts.get(finding.host()) : certificates.get(certificate);
        int line = connector.line();
        if (place != null) {
            String name = place.names.of(attribute(finding), place.values);
            line = name == null ? place.values.line() : place.values.line(name);
        }
        String text = "TLS host " + finding.host().name() + ": " + finding.text();
        if (finding.isError()) {
            problems.error(line, text);
        } else {
            problems.warning(line, text);
        }
    }

    private static String attribute(TlsFinding finding) {
        return switch (finding.setting()) {
            case IMPLEMENTATION -> "sslImplementation"; // not of a host
            case CERTIFICATE_FILE -> "certificateFile";
            case KEY_FILE -> "certificateKeyFile";
            case CHAIN_FILE -> "certificateChainFile";
            case KEY_PASSWORD -> "certificateKeyPassword";
            case KEYSTORE_FILE -> "certificateKeystoreFile";
            case KEYSTORE_PASSWORD -> "certificateKeystorePassword";
            case KEYSTORE_TYPE -> "certificateKeystoreType";
            case KEYSTORE_ALIAS -> "certificateKeyAlias";
            case PROTOCOLS -> "protocols";
            case CIPHERS -> "ciphers";
            case CLIENT_VERIFICATION -> "certificateVerification";
            case CA_FILE -> "caCertificateFile";
            case TRUSTSTORE -> "truststoreFile";
            case REVOCATION_FILE -> "certificateRevocationListFile";
            case OCSP_RESPONSE_FILE -> "ocspResponseFile"; // of a certificate
            case SESSION_TICKETS -> "disableSessionTickets";
        };
    }
}
