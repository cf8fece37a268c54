package io.millrace.proxyprotocol;

import static io.millrace.settings.SettingType.POSITIVE_MILLISECONDS;

import io.millrace.net.AddressSet;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a connector for the PROXY protocol, with whose header a front end reports the client's address (haproxy's
 * proxy-protocol.txt, versions 1 and 2). The header is the start of a connection, before TLS.
 */
public final class ProxyProtocol {

    /** Whether connections begin with a header. */
    public enum Presence {
        /** A header is treated as a bad request. */
        OFF,
        /**
         * A connection without a header is accepted. If a trusted front end sends no header for a client, its own address is taken
         * for the client's: make sure that it always sends one.
         */
        OPTIONAL,
        /** A connection without a header is closed. */
        REQUIRED
    }

    private static final SettingGroup GROUP = new SettingGroup();

    /** Whether connections begin with a header. */
    public static final Setting<Presence> PRESENCE =
            GROUP.add("proxyProtocol", SettingType.constant(Presence.class), Presence.OFF);

    /**
     * The trusted front ends. Headers of other peers are never evaluated: if a header is required, their connections are closed; if
     * it is optional, their input is passed on unchanged, and a header in it is a bad request.
     */
    public static final Setting<AddressSet> TRUSTED =
            GROUP.add("proxyProtocolTrusted", AddressSet.TYPE, AddressSet.parse(""));

    /** The timeout for the whole header of a trusted front end. Five seconds suffice if a segment is lost twice. */
    public static final Setting<Duration> TIMEOUT =
            GROUP.add("proxyProtocolTimeout", POSITIVE_MILLISECONDS, Duration.ofSeconds(5));

    private ProxyProtocol() {}

    /** The settings declared here. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** Whether connections may begin with a header. */
    public static boolean isOn(Settings settings) {
        return settings.get(PRESENCE) != Presence.OFF;
    }

    static boolean isRequired(Settings settings) {
        return settings.get(PRESENCE) == Presence.REQUIRED;
    }
}
