package io.millrace.websocket;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * How connections behave. Shared by any number of them; {@link WebSocketConnection#options(WebSocketOptions)} replaces those
 * of one.
 *
 * @param subprotocols that are supported; the first that a client offers is agreed upon. Of the handshake only
 * @param origins from which pages browsers may connect. Of the handshake only; {@link OriginRule#SAME_HOST} by default
 * @param deflate whether permessage-deflate is agreed upon, and how. Of the handshake only
 * @param deflateThreshold shorter messages are sent uncompressed; octets
 * @param maxTextSize of a whole text message, octets in UTF-8 after decompression; longer ones end the connection with 1009.
 *     64 KiB by default
 * @param maxBinarySize of a whole binary message, octets; otherwise the same
 * @param maxFrames of one message; more of them end the connection with 1008. 10,000 by default
 * @param maxControlFrames pings and pongs that a peer may send within a second; more of them end the connection with 1008. 1,000
 *     by default
 * @param idleTimeout after this time without anything sent or received the connection is closed with 1001; zero, as by
 *     default, for ever
 * @param pingInterval after this time without anything received a ping is sent, and if nothing has come after as long again, the
 *     connection is cut; zero, as by default, never
 * @param closeTimeout how long the peer may take to answer a close frame. 10 s by default
 * @param sendTimeout how long a write may take, before the connection is cut; zero for ever. 20 s by default
 * @param sendBufferLimit a message that is to be sent while more octets are unsent fails. 1 MiB by default
 */
public record WebSocketOptions(
        List<String> subprotocols,
        OriginRule origins,
        DeflateMode deflate,
        int deflateThreshold,
        int maxTextSize,
        int maxBinarySize,
        int maxFrames,
        int maxControlFrames,
        Duration idleTimeout,
        Duration pingInterval,
        Duration closeTimeout,
        Duration sendTimeout,
        long sendBufferLimit) {

    /** The defaults. */
    public static final WebSocketOptions DEFAULT = new WebSocketOptions(
            List.of(),
            OriginRule.SAME_HOST,
            DeflateMode.NO_CONTEXT_TAKEOVER,
            512,
            64 * 1024,
            64 * 1024,
            10_000,
            1_000,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            1024 * 1024);

    /** Checks the numbers. */
    public WebSocketOptions {
        subprotocols = List.copyOf(subprotocols);
        requireAtLeast(0, "deflateThreshold", deflateThreshold);
        requireAtLeast(0, "maxTextSize", maxTextSize);
        requireAtLeast(0, "maxBinarySize", maxBinarySize);
        requireAtLeast(1, "maxFrames", maxFrames);
        requireAtLeast(1, "maxControlFrames", maxControlFrames);
        requireAtLeast(0, "idleTimeout", idleTimeout.toMillis());
        requireAtLeast(0, "pingInterval", pingInterval.toMillis());
        requireAtLeast(0, "closeTimeout", closeTimeout.toMillis());
        requireAtLeast(0, "sendTimeout", sendTimeout.toMillis());
        requireAtLeast(1, "sendBufferLimit", sendBufferLimit);
    }

    private static void requireAtLeast(long least, String name, long value) {
        if (value < least) {
            throw new IllegalArgumentException(name + " is " + value + "; expected at least " + least);
        }
    }

    /** The same with another {@link #subprotocols}. */
    public WebSocketOptions withSubprotocols(List<String> value) {
        return with(copy -> copy.subprotocols = value);
    }

    /** The same with another {@link #origins}. */
    public WebSocketOptions withOrigins(OriginRule value) {
        return with(copy -> copy.origins = value);
    }

    /** The same with another {@link #deflate}. */
    public WebSocketOptions withDeflate(DeflateMode value) {
        return with(copy -> copy.deflate = value);
    }

    /** The same with another {@link #deflateThreshold}. */
    public WebSocketOptions withDeflateThreshold(int value) {
        return with(copy -> copy.deflateThreshold = value);
    }

    /** The same with another {@link #maxTextSize}. */
    public WebSocketOptions withMaxTextSize(int value) {
        return with(copy -> copy.maxTextSize = value);
    }

    /** The same with another {@link #maxBinarySize}. */
    public WebSocketOptions withMaxBinarySize(int value) {
        return with(copy -> copy.maxBinarySize = value);
    }

    /** The same with another {@link #maxFrames}. */
    public WebSocketOptions withMaxFrames(int value) {
        return with(copy -> copy.maxFrames = value);
    }

    /** The same with another {@link #maxControlFrames}. */
    public WebSocketOptions withMaxControlFrames(int value) {
        return with(copy -> copy.maxControlFrames = value);
    }

    /** The same with another {@link #idleTimeout}. */
    public WebSocketOptions withIdleTimeout(Duration value) {
        return with(copy -> copy.idleTimeout = value);
    }

    /** The same with another {@link #pingInterval}. */
    public WebSocketOptions withPingInterval(Duration value) {
        return with(copy -> copy.pingInterval = value);
    }

    /** The same with another {@link #closeTimeout}. */
    public WebSocketOptions withCloseTimeout(Duration value) {
        return with(copy -> copy.closeTimeout = value);
    }

    /** The same with another {@link #sendTimeout}. */
    public WebSocketOptions withSendTimeout(Duration value) {
        return with(copy -> copy.sendTimeout = value);
    }

    /** The same with another {@link #sendBufferLimit}. */
    public WebSocketOptions withSendBufferLimit(long value) {
        return with(copy -> copy.sendBufferLimit = value);
    }

    private WebSocketOptions with(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return copy.options();
    }

    /** Takes the one change between two options. */
    private static final class Copy {

        private List<String> subprotocols;
        private OriginRule origins;
        private DeflateMode deflate;
        private int deflateThreshold;
        private int maxTextSize;
        private int maxBinarySize;
        private int maxFrames;
        private int maxControlFrames;
        private Duration idleTimeout;
        private Duration pingInterval;
        private Duration closeTimeout;
        private Duration sendTimeout;
        private long sendBufferLimit;

        Copy(WebSocketOptions from) {
            subprotocols = from.subprotocols;
            origins = from.origins;
            deflate = from.deflate;
            deflateThreshold = from.deflateThreshold;
            maxTextSize = from.maxTextSize;
            maxBinarySize = from.maxBinarySize;
            maxFrames = from.maxFrames;
            maxControlFrames = from.maxControlFrames;
            idleTimeout = from.idleTimeout;
            pingInterval = from.pingInterval;
            closeTimeout = from.closeTimeout;
            sendTimeout = from.sendTimeout;
            sendBufferLimit = from.sendBufferLimit;
        }

        WebSocketOptions options() {
            return new WebSocketOptions(
                    subprotocols,
                    origins,
                    deflate,
                    deflateThreshold,
                    maxTextSize,
                    maxBinarySize,
                    maxFrames,
                    maxControlFrames,
                    idleTimeout,
                    pingInterval,
                    closeTimeout,
                    sendTimeout,
                    sendBufferLimit);
        }
    }
}
