package io.millrace.tls;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.POSITIVE_MILLISECONDS;
import static io.millrace.settings.SettingType.TEXT;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The TLS configuration of a connector: its hosts, and the settings for all of them. Immutable. */
public final class TlsOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The TLS implementation. In server.xml the default depends on the transport. */
    public static final Setting<TlsImplementation> IMPLEMENTATION =
            GROUP.add("sslImplementation", SettingType.constant(TlsImplementation.class), TlsImplementation.JSSE, null);

    /**
     * The name of the host for clients that send no host name or an unknown one. Default: {@link TlsHost#ANY}, or the
     * first host if there is none of that name.
     */
    public static final Setting<String> DEFAULT_HOST = GROUP.add("defaultSSLHostConfigName", TEXT, TlsHost.ANY, null);

    /**
     * Whether a request is rejected (421) whose Host field selects another TLS host than the name in the handshake.
     * Otherwise a client could bypass a host's client certificate requirement by sending the name of another host in the
     * handshake.
     */
    public static final Setting<Boolean> STRICT_SNI = GROUP.add("strictSni", BOOLEAN, true);

    /**
     * Whether clients that send no known host name are rejected in the handshake instead of being served by the default
     * host. Not in Tomcat.
     */
    public static final Setting<Boolean> REFUSE_UNKNOWN_HOSTS = GROUP.add("refuseUnknownHosts", BOOLEAN, false);

    /** The timeout of a handshake, from the connection to its end. In server.xml it defaults to the connectionTimeout. */
    public static final Setting<Duration> HANDSHAKE_TIMEOUT =
            GROUP.add("tlsHandshakeTimeout", POSITIVE_MILLISECONDS, Duration.ofSeconds(20), null);

    /** The interval for checking certificates, keys and other files for changes; zero for never. Not in Tomcat. */
    public static final Setting<Duration> RELOAD_INTERVAL =
            GROUP.add("tlsReloadInterval", MILLISECONDS, Duration.ofSeconds(10));

    private final List<TlsHost> hosts;
    private final Settings settings;
    private final TlsHost defaultHost;

    private TlsOptions(List<TlsHost> hosts, Settings settings) {
        this.hosts = hosts;
        this.settings = settings;
        Set<String> names = new HashSet<>();
        for (TlsHost host : hosts) {
            if (host.certificates().isEmpty()) {
                throw new IllegalArgumentException(
                        "TLS for " + host + " has no certificate; configure its certificate and key");
            }
            if (!names.add(host.name())) {
                throw new IllegalArgumentException("TLS has two hosts called " + host);
            }
        }
        defaultHost = chooseDefault();
    }

    /**
     * The configuration of these hosts, each of which needs a certificate.
     *
     * @throws IllegalArgumentException if there is none, one has no certificate, or two have the same name
     */
    public static TlsOptions of(TlsHost... hosts) {
        return new TlsOptions(List.of(hosts), Settings.DEFAULTS);
    }

    /** One certificate with its chain and its unencrypted key from PEM files, for all host names. */
    public static TlsOptions pem(Path certificateFile, Path keyFile) {
        return of(TlsHost.any().pem(certificateFile, keyFile));
    }

    /** One certificate from a PKCS#12 or JKS file, for all host names. */
    public static TlsOptions keystore(Path file, String password) {
        return of(TlsHost.any().keystore(file, password));
    }

    /** The settings for all hosts. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /**
     * The same options with another value of a setting declared here.
     *
     * @throws IllegalArgumentException if the setting is declared elsewhere, the value is outside its limits, or no
     *     host has the name of the default one
     */
    public <T> TlsOptions with(Setting<T> setting, T value) {
        return with(settings.with(all(), setting, value));
    }

    /** The same options with these settings, where they are set. */
    public TlsOptions with(Settings value) {
        return new TlsOptions(hosts, settings.overriddenBy(value));
    }

    /** The hosts: at least one, with different names. */
    public List<TlsHost> hosts() {
        return hosts;
    }

    /** The host for clients that send no host name or an unknown one. */
    public TlsHost defaultHost() {
        return defaultHost;
    }

    /**
     * The host for a name: the one of exactly this name, otherwise that of its wildcard, otherwise the default one.
     *
     * @param name as sent by the client; case is ignored
     */
    public TlsHost host(String name) {
        return HostPatterns.find(name, hosts, TlsHost::name).orElse(defaultHost);
    }

    /** The value of a setting, or its default. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    private TlsHost chooseDefault() {
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("TLS has no host; add one, for instance TlsHost.any()");
        }
        String wanted = settings.get(DEFAULT_HOST).toLowerCase(Locale.ROOT);
        for (TlsHost host : hosts) {
            if (host.name().equals(wanted)) {
                return host;
            }
        }
        if (settings.isSet(DEFAULT_HOST)) {
            throw new IllegalArgumentException(
                    "TLS has no host called " + wanted + ", which is configured as default; the hosts are " + hosts);
        }
        return hosts.get(0);
    }
}
