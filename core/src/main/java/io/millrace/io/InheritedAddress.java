package io.millrace.io;

import java.net.SocketAddress;

/**
 * The address of the listening socket that this process inherited as standard input, as from inetd or systemd ({@link
 * System#inheritedChannel}). A transport that does not support it throws {@link
 * java.nio.channels.UnsupportedAddressTypeException}.
 */
public final class InheritedAddress extends SocketAddress {

    private static final long serialVersionUID = 1L;

    /** The only instance: a process has one standard input. */
    public static final InheritedAddress INSTANCE = new InheritedAddress();

    private InheritedAddress() {}

    @Override
    public String toString() {
        return "the inherited socket";
    }

    private Object readResolve() {
        return INSTANCE;
    }
}
