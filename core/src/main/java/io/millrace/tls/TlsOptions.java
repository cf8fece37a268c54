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

/** What TLS is to be on one connector: its hosts, and what concerns all of them. Immutable. */
public final class TlsOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /** Whose TLS it is to be. In server.xml the default depends on the transport. */
    public static final Setting<TlsImplementation> IMPLEMENTATION =
            GROUP.add("sslImplementation", SettingType.constant(TlsImplementation.class), TlsImplementation.JSSE, null);

    /**
     * The name of the host for clients that name none, or one that is not here. Unless it is set, that is the host
     * {@link TlsHost#ANY}, or the first one if none is called so.
     */
    public static final Setting<String> DEFAULT_HOST = GROUP.add("defaultSSLHostConfigName", TEXT, TlsHost.ANY, null);

    /**
     * Whether a request is refused (421) whose Host field belongs to another host here than the name its TLS was for. Without
     * it a client gets round one host's demand for certificates by naming another.
     */
    public static final Setting<Boolean> STRICT_SNI = GROUP.add("strictSni", BOOLEAN, true);

    /** Whether clients that name no host of these are refused in the handshake, or served by the default host. Not in Tomcat. */
    public static final Setting<Boolean> REFUSE_UNKNOWN_HOSTS = GROUP.add("refuseUnknownHosts", BOOLEAN, false);

    /** How long a handshake may take, from the connection to its end; in server.xml unless set the connectionTimeout. */
    public static final Setting<Duration> HANDSHAKE_TIMEOUT =
            GROUP.add("tlsHandshakeTimeout", POSITIVE_MILLISECONDS, Duration.ofSeconds(20), null);

    /** How often certificates, keys and the other files are looked at for change; zero: never. Not in Tomcat. */
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
                        "TLS for " + host + " has no certificate; name its certificate and key");
            }
            if (!names.add(host.name())) {
                throw new IllegalArgumentException("TLS has two hosts called " + host);
            }
        }
        defaultHost = chooseDefault();
    }

    /**
     * These hosts, each of which needs a certificate.
     *
     * @throws IllegalArgumentException if there is none, one has no certificate, or two have one name
     */
    public static TlsOptions of(TlsHost... hosts) {
        return new TlsOptions(List.of(hosts), Settings.DEFAULTS);
    }

    /** One certificate with its chain, and its unencrypted key, from PEM files; for all host names. */
    public static TlsOptions pem(Path certificateFile, Path keyFile) {
        return of(TlsHost.any().pem(certificateFile, keyFile));
    }

    /** One certificate from a PKCS#12 or JKS file, for all host names. */
    public static TlsOptions keystore(Path file, String password) {
        return of(TlsHost.any().keystore(file, password));
    }

    /** The settings that concern all hosts. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /**
     * The same with another value of one of the settings declared here.
     *
     * @throws IllegalArgumentException if the value is beyond the setting's limits, or no host has the name of the default one
     */
    public <T> TlsOptions with(Setting<T> setting, T value) {
        return with(settings.with(setting, value));
    }

    /** The same with these settings, where they are set. */
    public TlsOptions with(Settings value) {
        return new TlsOptions(hosts, settings.overriddenBy(value));
    }

    /** At least one, with different names. */
    public List<TlsHost> hosts() {
        return hosts;
    }

    /** The host for clients that name none, or one that is not here. */
    public TlsHost defaultHost() {
        return defaultHost;
    }

    /**
     * The host that serves a name: the one of just this name, else that of its wildcard, else the default one.
     *
     * @param name as the client sent it; any case
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
                    "TLS has no host called " + wanted + ", which is to be the default one; there are " + hosts);
        }
        return hosts.get(0);
    }
}
