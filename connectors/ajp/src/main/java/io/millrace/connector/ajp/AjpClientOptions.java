package io.millrace.connector.ajp;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.MILLISECONDS;

import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import java.time.Duration;
import java.util.List;

/**
 * How AJP is spoken with servers. {@link AjpOptions#SECRET}, {@link AjpOptions#SECRET_REQUIRED} and {@link AjpOptions#PACKET_SIZE} must be
 * those of the server's connector; {@link ProtocolOptions#MAX_HEADER_COUNT} limits responses.
 */
public final class AjpClientOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /** How long a server may take to answer the ping that goes before a request on a connection that was idle for a second. */
    public static final Setting<Duration> PING_TIMEOUT = GROUP.add("pingTimeout", MILLISECONDS, Duration.ofSeconds(3));

    /**
     * Is the server told whom a trusted front end of this one has logged in? It believes that if its connector has
     * {@code tomcatAuthentication="false"}.
     */
    public static final Setting<Boolean> REMOTE_USER = GROUP.add("remoteUser", BOOLEAN, false);

    private AjpClientOptions() {}

    /** All of them. */
    public static List<Setting<?>> all() {
        return List.of(
                AjpOptions.SECRET,
                AjpOptions.SECRET_REQUIRED,
                AjpOptions.PACKET_SIZE,
                ProtocolOptions.MAX_HEADER_COUNT,
                PING_TIMEOUT,
                REMOTE_USER);
    }
}
