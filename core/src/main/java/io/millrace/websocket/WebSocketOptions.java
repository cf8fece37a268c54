package io.millrace.websocket;

import static io.millrace.settings.SettingType.MILLISECONDS;
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
 * How connections behave: the settings are declared here, under the names that they have as context parameters of an application.
 * Shared by any number of connections; {@link WebSocketConnection#options(WebSocketOptions)} replaces those of one. Immutable.
 *
 * @param subprotocols that are supported; the first that a client offers is agreed upon. Of the handshake only
 * @param origins from which pages browsers may connect. Of the handshake only; {@link OriginRule#SAME_HOST} by default
 * @param settings all else
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

    /** Whether permessage-deflate is agreed upon, and how. Of the handshake only. */
    public static final Setting<DeflateMode> DEFLATE =
            GROUP.add(OURS + "deflate", MODE, DeflateMode.NO_CONTEXT_TAKEOVER, "no-context-takeover");

    /** Shorter messages are sent uncompressed; octets. */
    public static final Setting<Integer> DEFLATE_THRESHOLD = GROUP.add(OURS + "deflateThreshold", OCTETS, 512);

    /** Of a whole text message, octets in UTF-8 after decompression; longer ones end the connection with 1009. */
    public static final Setting<Integer> MAX_TEXT_SIZE = GROUP.add(TOMCAT + "textBufferSize", OCTETS, 64 * 1024);

    /** Of a whole binary message, octets; otherwise the same. */
    public static final Setting<Integer> MAX_BINARY_SIZE = GROUP.add(TOMCAT + "binaryBufferSize", OCTETS, 64 * 1024);

    /** Of one message; more of them end the connection with 1008. */
    public static final Setting<Integer> MAX_FRAMES = GROUP.add(OURS + "maxFrames", COUNT, 10_000);

    /** Pings and pongs that a peer may send within a second; more of them end the connection with 1008. */
    public static final Setting<Integer> MAX_CONTROL_FRAMES = GROUP.add(OURS + "maxControlFrames", COUNT, 1_000);

    /** After this time without anything sent or received the connection is closed with 1001; zero: no limit. */
    public static final Setting<Duration> IDLE_TIMEOUT = GROUP.add(OURS + "idleTimeout", MILLISECONDS, Duration.ZERO);

    /**
     * After this time without anything received a ping is sent, and if nothing has been received after the same time again, the connection is
     * aborted; zero: no pings.
     */
    public static final Setting<Duration> PING_INTERVAL = GROUP.add(OURS + "pingInterval", MILLISECONDS, Duration.ZERO);

    /** How long the peer may take to answer a close frame; not zero. */
    public static final Setting<Duration> CLOSE_TIMEOUT = GROUP.add(
            OURS + "closeTimeout",
            MILLISECONDS.limitedTo("a number from 1 up", value -> !value.isZero()),
            Duration.ofSeconds(10));

    /** How long a write may take before the connection is aborted; zero: no limit. */
    public static final Setting<Duration> SEND_TIMEOUT =
            GROUP.add(OURS + "sendTimeout", MILLISECONDS, Duration.ofSeconds(20));

    /** A message that is to be sent while more octets are unsent fails. */
    public static final Setting<Long> SEND_BUFFER_LIMIT =
            GROUP.add(OURS + "sendBufferLimit", largeNumber(1, Long.MAX_VALUE), 1024L * 1024);

    /** The defaults. */
    public static final WebSocketOptions DEFAULT =
            new WebSocketOptions(List.of(), OriginRule.SAME_HOST, Settings.DEFAULTS);

    /** Copies the list. */
    public WebSocketOptions {
        subprotocols = List.copyOf(subprotocols);
    }

    /** All settings that connections heed. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    /** The value of a setting. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    /**
     * The same with another value of a setting.
     *
     * @throws IllegalArgumentException if it is beyond the setting's limits, naming them
     */
    public <T> WebSocketOptions with(Setting<T> setting, T value) {
        return new WebSocketOptions(subprotocols, origins, settings.with(setting, value));
    }

    /** The same with another {@link #subprotocols}. */
    public WebSocketOptions withSubprotocols(List<String> value) {
        return new WebSocketOptions(value, origins, settings);
    }

    /** The same with another {@link #origins}. */
    public WebSocketOptions withOrigins(OriginRule value) {
        return new WebSocketOptions(subprotocols, value, settings);
    }
}
