package io.millrace.connector.http2;

import static io.millrace.settings.SettingType.FLAG;

import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import java.util.List;
import java.util.stream.Stream;

/**
 * Settings of HTTP/2. Those of {@link MuxOptions}, {@link io.millrace.protocol.ProtocolOptions} and {@link
 * io.millrace.protocol.HttpOptions} apply too.
 */
public final class Http2Options {

    private static final SettingGroup GROUP = new SettingGroup();

    /** Applications can push responses to clients that permit it (RFC 9113, 8.4). Tomcat has no such attribute. */
    public static final Setting<Boolean> SERVER_PUSH = GROUP.add("serverPush", FLAG, false);

    private Http2Options() {}

    /** All settings of this class and of {@link MuxOptions}. */
    public static List<Setting<?>> all() {
        return Stream.concat(MuxOptions.all().stream(), GROUP.settings().stream())
                .toList();
    }
}
