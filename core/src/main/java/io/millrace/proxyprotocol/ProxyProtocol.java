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
 * How a connector takes the PROXY protocol's header, with which a front end says whom it speaks for (haproxy's
 * proxy-protocol.txt, versions 1 and 2): settings of the connector. The header comes first on a connection, before TLS.
 */
public final class ProxyProtocol {

    /** Whether connections begin with a header. */
    public enum Presence {
        /** A header is a bad request. */
        OFF,
        /**
         * A connection without one is served as it is. Who is trusted and speaks for clients without a header is taken for
         * the client: make sure that it always sends one.
         */
        OPTIONAL,
        /** A connection without one is closed. */
        REQUIRED
    }

    private static final SettingGroup GROUP = new SettingGroup();

    /** Whether connections begin with a header. */
    public static final Setting<Presence> PRESENCE =
            GROUP.add("proxyProtocol", SettingType.constant(Presence.class), Presence.OFF);

    /**
     * Who is believed. From anybody else a header is never believed: if it is required, his connection is closed; if it is
     * optional, his bytes go on as they are, and a header among them is a bad request.
     */
    public static final Setting<AddressSet> TRUSTED =
            GROUP.add("proxyProtocolTrusted", AddressSet.TYPE, AddressSet.parse(""));

    /** How long a trusted front end may take for the whole header; five seconds are enough for a segment lost twice. */
    public static final Setting<Duration> TIMEOUT =
            GROUP.add("proxyProtocolTimeout", POSITIVE_MILLISECONDS, Duration.ofSeconds(5));

    private ProxyProtocol() {}

    /** The settings declared here. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** May connections begin with a header? */
    public static boolean isOn(Settings settings) {
        return settings.get(PRESENCE) != Presence.OFF;
    }

    static boolean isRequired(Settings settings) {
        return settings.get(PRESENCE) == Presence.REQUIRED;
    }
}
