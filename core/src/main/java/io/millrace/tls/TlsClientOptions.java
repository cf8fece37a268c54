package io.millrace.tls;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The TLS configuration of a client. Strict by default: TLS 1.2 and 1.3, strong ciphers, and a peer whose certificate is trusted
 * and valid for its host name. Immutable; the {@code with…} methods return changed copies.
 *
 * @param certificate the client's own, for servers that request one; null for none
 * @param applicationProtocols offered by ALPN, in order of preference; empty for no ALPN
 * @param settings {@link #VERIFY_HOST_NAME}, and settings of servers with the same meaning: {@link TlsHost#PROTOCOLS}, {@link
 *     TlsHost#CIPHERS}, {@link TlsOptions#IMPLEMENTATION}, and, for the authorities to trust, {@link TlsHost#CA_CERTIFICATE_FILE} or
 *     {@link TlsHost#TRUSTSTORE}; with neither, the JDK's authorities are trusted
 */
public record TlsClientOptions(
        @Nullable TlsCertificate certificate, List<String> applicationProtocols, Settings settings) {

    /**
     * Whether the peer's certificate must be valid for the requested host (RFC 9525). Otherwise the owner of any trusted
     * certificate can impersonate the peer: for tests only.
     */
    public static final Setting<Boolean> VERIFY_HOST_NAME =
            new SettingGroup().add("verifyHostName", SettingType.BOOLEAN, true);

    private static final List<Setting<?>> ALL = List.of(
            VERIFY_HOST_NAME,
            TlsHost.PROTOCOLS,
            TlsHost.CIPHERS,
            TlsHost.CA_CERTIFICATE_FILE,
            TlsHost.TRUSTSTORE,
            TlsOptions.IMPLEMENTATION);

    /** The JDK's TLS and authorities, no certificate, no ALPN. */
    public static final TlsClientOptions DEFAULT = new TlsClientOptions(null, List.of(), Settings.DEFAULTS);

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if both a file and a keystore of authorities are set, or a setting that applies to
     *     servers only
     */
    public TlsClientOptions {
        applicationProtocols = List.copyOf(applicationProtocols);
        refuseServerSettings(settings);
        if (settings.isSet(TlsHost.CA_CERTIFICATE_FILE) && settings.isSet(TlsHost.TRUSTSTORE)) {
            throw new IllegalArgumentException(
                    TlsHost.CA_CERTIFICATE_FILE + " and " + TlsHost.TRUSTSTORE + " are both set; expected one of them");
        }
    }

    /**
     * The same options with another value of a setting.
     *
     * @throws IllegalArgumentException if the setting does not apply to clients, or the value is outside its limits
     */
    public <T> TlsClientOptions with(Setting<T> setting, T value) {
        return with(settings.with(ALL, setting, value));
    }

    /** The same options with these settings, where they are set. */
    public TlsClientOptions with(Settings value) {
        return new TlsClientOptions(certificate, applicationProtocols, settings.overriddenBy(value));
    }

    /** The same options with a certificate of the client. */
    public TlsClientOptions withCertificate(TlsCertificate own) {
        return new TlsClientOptions(own, applicationProtocols, settings);
    }

    /** The same options with other protocols to offer. */
    public TlsClientOptions withApplicationProtocols(List<String> value) {
        return new TlsClientOptions(certificate, value, settings);
    }

    /** Ignoring a revocation list, for example, would leave a revoked peer trusted. */
    private static void refuseServerSettings(Settings settings) {
        Stream.of(TlsHost.all(), TlsOptions.all())
                .flatMap(List::stream)
                .filter(setting -> settings.isSet(setting) && !ALL.contains(setting))
                .findFirst()
                .ifPresent(setting -> {
                    throw new IllegalArgumentException(setting
                            + " is read by TLS servers only; expected of a client one of " + SettingGroup.names(ALL));
                });
    }
}
