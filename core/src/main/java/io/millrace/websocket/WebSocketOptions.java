package io.millrace.websocket;

import static io.millrace.settings.SettingType.MILLISECONDS;
import static io.millrace.settings.SettingType.POSITIVE_MILLISECONDS;
import static io.millrace.settings.SettingType.largeNumber;
import static io.millrace.settings.SettingType.number;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The options of connections. Settings are declared here, under the names of an application's context parameters. Shared
 * by any number of connections; {@link WebSocketConnection#options(WebSocketOptions)} replaces those of one. Immutable.
 *
 * @param subprotocols those that are supported; the first one that a client offers is selected. Used by the handshake
 *     only
 * @param origins the origins from which browsers may connect; {@link OriginRule#SAME_HOST} by default. Used by the
 *     handshake only
 * @param settings all others
 */
public record WebSocketOptions(List<String> subprotocols, OriginRule origins, Settings settings) {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final String TOMCAT = "org.apache.tomcat.websocket.";
    private static final String OURS = "io.millrace.websocket.";

    private static final SettingType<Integer> OCTETS = number(0, Integer.MAX_VALUE);
    private static final SettingType<Integer> COUNT = number(1, Integer.MAX_VALUE);
    private static final SettingType<DeflateMode> MODE = SettingType.constant(DeflateMode.class)
            .readFrom(
                    SettingType.oneOf("off", "no-context-takeover", "context-takeover"),
                    text -> DeflateMode.valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_')));

    /** Whether and how permessage-deflate is negotiated. Used by the handshake only. */
    public static final Setting<DeflateMode> DEFLATE =
            GROUP.add(OURS + "deflate", MODE, DeflateMode.NO_CONTEXT_TAKEOVER, "no-context-takeover");

    /** The minimum length of a compressed message, in bytes; shorter ones are sent uncompressed. */
    public static final Setting<Integer> DEFLATE_THRESHOLD = GROUP.add(OURS + "deflateThreshold", OCTETS, 512);

    /**
     * The maximum length of a complete text message, in bytes of UTF-8 after decompression; a longer one ends the
     * connection with 1009.
     */
    public static final Setting<Integer> MAX_TEXT_SIZE = GROUP.add(TOMCAT + "textBufferSize", OCTETS, 64 * 1024);

    /**
     * The maximum length of a complete binary message, in bytes after decompression; a longer one ends the connection
     * with 1009.
     */
    public static final Setting<Integer> MAX_BINARY_SIZE = GROUP.add(TOMCAT + "binaryBufferSize", OCTETS, 64 * 1024);

    /** The maximum number of frames of a message; more of them end the connection with 1008. */
    public static final Setting<Integer> MAX_FRAMES = GROUP.add(OURS + "maxFrames", COUNT, 10_000);

    /**
     * The maximum number of pings and pongs that a peer may send within a second; more of them end the connection with
     * 1008.
     */
    public static final Setting<Integer> MAX_CONTROL_FRAMES = GROUP.add(OURS + "maxControlFrames", COUNT, 1_000);

    /** The idle timeout: if nothing is sent or received for this long, the connection is closed with 1001; zero for none. */
    public static final Setting<Duration> IDLE_TIMEOUT = GROUP.add(OURS + "idleTimeout", MILLISECONDS, Duration.ZERO);

    /**
     * If nothing is received for this long, a ping is sent; if nothing is received for the same time again, the
     * connection is aborted. Zero for no pings.
     */
    public static final Setting<Duration> PING_INTERVAL = GROUP.add(OURS + "pingInterval", MILLISECONDS, Duration.ZERO);

    /** How long the peer may take to answer a close frame; not zero. */
    public static final Setting<Duration> CLOSE_TIMEOUT =
            GROUP.add(OURS + "closeTimeout", POSITIVE_MILLISECONDS, Duration.ofSeconds(10));

    /** How long a write may take before the connection is aborted; zero for no limit. */
    public static final Setting<Duration> SEND_TIMEOUT =
            GROUP.add(OURS + "sendTimeout", MILLISECONDS, Duration.ofSeconds(20));

    /** While more bytes than this are unsent, sending a message fails. */
    public static final Setting<Long> SEND_BUFFER_LIMIT =
            GROUP.add(OURS + "sendBufferLimit", largeNumber(1, Long.MAX_VALUE), 1024L * 1024);

    /** The defaults. */
    public static final WebSocketOptions DEFAULT =
            new WebSocketOptions(List.of(), OriginRule.SAME_HOST, Settings.DEFAULTS);

    /** Copies the list. */
    public WebSocketOptions {
        subprotocols = List.copyOf(subprotocols);
    }

    /** All settings of connections. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** The value of a setting. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    /**
     * The same options with another value of a setting.
     *
     * @throws IllegalArgumentException if the setting is declared elsewhere, or the value is outside its limits
     */
    public <T> WebSocketOptions with(Setting<T> setting, T value) {
        return new WebSocketOptions(subprotocols, origins, settings.with(all(), setting, value));
    }

    /** The same options with other {@link #subprotocols}. */
    public WebSocketOptions withSubprotocols(List<String> value) {
        return new WebSocketOptions(value, origins, settings);
    }

    /** The same options with another {@link #origins}. */
    public WebSocketOptions withOrigins(OriginRule value) {
        return new WebSocketOptions(subprotocols, value, settings);
    }
}
