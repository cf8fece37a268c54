package io.millrace.io.socket;

import static io.millrace.io.TransportOptions.ACCEPT_COUNT;
import static io.millrace.io.TransportOptions.RECEIVE_BUFFER;
import static io.millrace.io.TransportOptions.SEND_BUFFER;
import static io.millrace.io.TransportOptions.SO_KEEP_ALIVE;
import static io.millrace.io.TransportOptions.SO_LINGER;
import static io.millrace.io.TransportOptions.SO_REUSE_ADDRESS;
import static io.millrace.io.TransportOptions.TCP_NO_DELAY;

import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import org.jspecify.annotations.Nullable;

/** Applies {@link TransportOptions} to channels of any kind. */
public final class SocketSettings {

    private static final int MIN_BACKLOG = 1;

    /** For peers on this machine, in bytes: what Linux allows at most by default, and as fast as more. */
    private static final int LOCAL_SEND_BUFFER = 208 * 1024;

    private final TransportOptions options;

    /** The settings in these options. */
    public SocketSettings(TransportOptions options) {
        this.options = options;
    }

    /** The {@code bind} method of a server channel, which {@link NetworkChannel} lacks. */
    public interface Binding {
        /** Binds and listens with this backlog. */
        void bind(SocketAddress address, int backlog) throws IOException;
    }

    /**
     * Configures a new listening channel and binds it.
     *
     * @throws BindException if the address cannot be bound; the message names it
     * @throws UnsupportedAddressTypeException if the channel does not support this kind of address
     */
    public void listen(NetworkChannel listening, SocketAddress wanted, Binding binding) throws IOException {
        if (wanted instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new BindException("cannot listen on " + inet.getHostString() + ": unknown host");
        }
        set(listening, StandardSocketOptions.SO_REUSEADDR, options.get(SO_REUSE_ADDRESS));
        if (options.get(RECEIVE_BUFFER) > 0) {
            set(listening, StandardSocketOptions.SO_RCVBUF, options.get(RECEIVE_BUFFER));
        }
        try {
            binding.bind(wanted, Math.max(MIN_BACKLOG, options.get(ACCEPT_COUNT)));
        } catch (UnsupportedAddressTypeException otherKind) {
            throw otherKind;
        } catch (IOException | RuntimeException refused) {
            BindException clear = new BindException("cannot listen on " + wanted + ": " + refused.getMessage());
            clear.initCause(refused);
            throw clear;
        }
    }

    /** Configures a channel that is about to connect: the TCP window is negotiated while it does. */
    public void configureOutgoing(NetworkChannel connecting) throws IOException {
        if (options.get(RECEIVE_BUFFER) > 0) {
            set(connecting, StandardSocketOptions.SO_RCVBUF, options.get(RECEIVE_BUFFER));
        }
        configure(connecting, null);
    }

    /**
     * Configures a channel.
     *
     * @param peer the other end of an accepted one; null if it is not known yet
     */
    public void configure(NetworkChannel accepted, @Nullable SocketAddress peer) throws IOException {
        if (options.get(TCP_NO_DELAY)) {
            set(accepted, StandardSocketOptions.TCP_NODELAY, true);
        }
        if (options.get(SO_KEEP_ALIVE)) {
            set(accepted, StandardSocketOptions.SO_KEEPALIVE, true);
        }
        if (options.get(SO_LINGER) >= 0) {
            set(accepted, StandardSocketOptions.SO_LINGER, options.get(SO_LINGER));
        }
        int sendBuffer = sendBuffer(options, peer);
        if (sendBuffer > 0) {
            set(accepted, StandardSocketOptions.SO_SNDBUF, sendBuffer);
        }
    }

    /**
     * The SO_SNDBUF of a connection; 0 leaves it to the system. Systems size it by the length of a segment and what the peer
     * has acknowledged so far: it begins with less than 100 KiB on an ordinary network, but where segments have 64 KiB, as on
     * this machine's loopback, several megabytes are copied for a peer that reads nothing, or is gone a moment later.
     */
    public static int sendBuffer(TransportOptions options, @Nullable SocketAddress peer) {
        boolean isLocal = peer instanceof InetSocketAddress inet
                && inet.getAddress() != null
                && inet.getAddress().isLoopbackAddress();
        return options.get(SEND_BUFFER) == 0 && isLocal ? LOCAL_SEND_BUFFER : options.get(SEND_BUFFER);
    }

    /**
     * Makes closing a channel discard unsent bytes and send a RST, if its kind supports it: neither Unix domain sockets
     * nor the JDK's asynchronous channels do. Has no effect on a broken or closed channel.
     */
    public static void resetOnClose(NetworkChannel channel) {
        try {
            set(channel, StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException broken) {
            // the connection is broken already, so that a RST would not reach the peer
        }
    }

    /** Unix domain sockets support few options. */
    private static <T> void set(NetworkChannel channel, SocketOption<T> option, T value) throws IOException {
        if (channel.supportedOptions().contains(option)) {
            channel.setOption(option, value);
        }
    }
}
