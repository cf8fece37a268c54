package io.millrace.connector.http2;

import static io.millrace.settings.SettingType.FLAG;

import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import java.util.List;
import java.util.stream.Stream;

/**
 * What HTTP/2 has beside {@link MuxOptions}, {@link io.millrace.protocol.ProtocolOptions} and
 * {@link io.millrace.protocol.HttpOptions}, which hold as well.
 */
public final class Http2Options {

    private static final SettingGroup GROUP = new SettingGroup();

    /** May applications push responses that the client did not ask for, if it wants them (RFC 9113, 8.4)? Not in Tomcat. */
    public static final Setting<Boolean> SERVER_PUSH = GROUP.add("serverPush", FLAG, false);

    private Http2Options() {}

    /** All of them, and those of {@link MuxOptions}. */
    public static List<Setting<?>> all() {
        return Stream.concat(MuxOptions.all().stream(), GROUP.settings().stream())
                .toList();
    }
}
