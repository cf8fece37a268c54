package io.millrace.tls;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What TLS is to be of a client. Strict by default: TLS 1.2 and 1.3, strong ciphers, a peer whose certificate is trusted and
 * for its host name. Immutable; the {@code with…} methods make changed copies.
 *
 * @param certificate our own, for servers that ask for one; null for none
 * @param applicationProtocols offered by ALPN, the most wanted first; empty for no ALPN
 * @param settings {@link #VERIFY_HOST_NAME}, and those of servers that mean the same of a client: {@link TlsHost#PROTOCOLS},
 *     {@link TlsHost#CIPHERS}, {@link TlsOptions#IMPLEMENTATION}, and of the authorities that the peer's certificate is verified by
 *     {@link TlsHost#CA_CERTIFICATE_FILE} or {@link TlsHost#TRUSTSTORE}; with neither, those are trusted that the JDK trusts
 */
public record TlsClientOptions(
        @Nullable TlsCertificate certificate, List<String> applicationProtocols, Settings settings) {

    /**
     * Whether the peer's certificate must be for the host that was asked for (RFC 9525). Without it anybody who holds any
     * trusted certificate can pose as the peer: for tests alone.
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

    /** The JDK's TLS; trusts the JDK's authorities; sends no certificate; offers no protocol. */
    public static final TlsClientOptions DEFAULT = new TlsClientOptions(null, List.of(), Settings.DEFAULTS);

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if a file of authorities and a keystore of them are both set, or a setting that
     *     TLS servers alone read
     */
    public TlsClientOptions {
        applicationProtocols = List.copyOf(applicationProtocols);
        refuseWhatServersRead(settings);
        if (settings.isSet(TlsHost.CA_CERTIFICATE_FILE) && settings.isSet(TlsHost.TRUSTSTORE)) {
            throw new IllegalArgumentException(
                    TlsHost.CA_CERTIFICATE_FILE + " and " + TlsHost.TRUSTSTORE + " are both set; expected one of them");
        }
    }

    /**
     * The same with another value of one of the settings.
     *
     * @throws IllegalArgumentException if clients do not read the setting, or the value is outside its limits
     */
    public <T> TlsClientOptions with(Setting<T> setting, T value) {
        return with(settings.with(ALL, setting, value));
    }

    /** The same with these settings, where they are set. */
    public TlsClientOptions with(Settings value) {
        return new TlsClientOptions(certificate, applicationProtocols, settings.overriddenBy(value));
    }

    /** The same with a certificate of our own. */
    public TlsClientOptions withCertificate(TlsCertificate own) {
        return new TlsClientOptions(own, applicationProtocols, settings);
    }

    /** The same with other protocols to offer. */
    public TlsClientOptions withApplicationProtocols(List<String> value) {
        return new TlsClientOptions(certificate, value, settings);
    }

    /** A revocation list, for example, that nobody looks up would leave the peer trusted. */
    private static void refuseWhatServersRead(Settings settings) {
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
