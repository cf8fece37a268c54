package io.millrace.connector.spdy;

import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import java.util.List;
import java.util.stream.Stream;

/**
 * Settings of SPDY. Those of {@link MuxOptions}, {@link io.millrace.protocol.ProtocolOptions} and {@link
 * io.millrace.protocol.HttpOptions} apply too.
 */
public final class SpdyOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The version, {@code 3.1} or {@code 3}; 3.1 adds a flow-control window for the connection. */
    public static final Setting<String> VERSION =
            GROUP.add("version", SettingType.text("3.1 or 3", text -> text.equals("3.1") || text.equals("3")), "3.1");

    /** Applications can push responses to clients (SPDY/3, 3.3). */
    public static final Setting<Boolean> SERVER_PUSH = GROUP.add("serverPush", SettingType.FLAG, false);

    private SpdyOptions() {}

    /** All settings of this class and of {@link MuxOptions}. */
    public static List<Setting<?>> all() {
        return Stream.concat(MuxOptions.all().stream(), GROUP.settings().stream())
                .toList();
    }
}
