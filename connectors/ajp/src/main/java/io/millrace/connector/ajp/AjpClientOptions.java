package io.millrace.connector.ajp;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.MILLISECONDS;

import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the AJP client. {@link AjpOptions#SECRET}, {@link AjpOptions#SECRET_REQUIRED} and {@link AjpOptions#PACKET_SIZE}
 * must have the values of the server's connector; {@link ProtocolOptions#MAX_HEADER_COUNT} limits the fields of responses.
 */
public final class AjpClientOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /** How long a server may take to answer the CPING that precedes a request on a connection idle for a second or more. */
    public static final Setting<Duration> PING_TIMEOUT = GROUP.add("pingTimeout", MILLISECONDS, Duration.ofSeconds(3));

    /**
     * Sends the name of the user whom a trusted front end of this server has authenticated. The server accepts it if its connector
     * has {@code tomcatAuthentication="false"} or {@code tomcatAuthorization="true"}.
     */
    public static final Setting<Boolean> REMOTE_USER = GROUP.add("remoteUser", BOOLEAN, false);

    private AjpClientOptions() {}

    /** All settings of the client, including those of {@link AjpOptions} that apply to it. */
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
