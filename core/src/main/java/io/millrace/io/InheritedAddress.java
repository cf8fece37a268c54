package io.millrace.io;

import java.net.SocketAddress;

/**
 * Stands for the listening socket that this process inherited as standard input, as inetd and systemd do
 * ({@link System#inheritedChannel}). A transport that cannot take it over throws {@link
 * java.nio.channels.UnsupportedAddressTypeException}.
 */
public final class InheritedAddress extends SocketAddress {

    private static final long serialVersionUID = 1L;

    /** The only one: a process has one standard input. */
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
