package io.millrace.io;

import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The address of a listening socket that this process inherited: as standard input, as from inetd ({@link System#inheritedChannel}), or
 * under a name from systemd ({@code LISTEN_FDNAMES}). A transport that does not support it throws {@link
 * java.nio.channels.UnsupportedAddressTypeException}.
 */
public final class InheritedAddress extends SocketAddress {

    private static final long serialVersionUID = 2L;

    /** That of the standard input. */
    public static final InheritedAddress INSTANCE = new InheritedAddress(null);

    private final @Nullable String name;

    private InheritedAddress(@Nullable String name) {
        this.name = name;
    }

    /** That of a name. */
    public static InheritedAddress named(String name) {
        return new InheritedAddress(name);
    }

    /** Null for the standard input. */
    public @Nullable String name() {
        return name;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof InheritedAddress address && Objects.equals(name, address.name);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(name);
    }

    @Override
    public String toString() {
        return name == null ? "the inherited socket" : "the inherited socket \"" + name + "\"";
    }
}
