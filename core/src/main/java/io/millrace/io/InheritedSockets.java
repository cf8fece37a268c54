package io.millrace.io;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.net.BindException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The listening sockets that this process was started with, besides its standard input: descriptors from 3 on, which systemd names in
 * LISTEN_FDNAMES (sd_listen_fds(3)). Each is used once. Thread-safe.
 */
public final class InheritedSockets {

    /** Those of this process. */
    public static final InheritedSockets OF_PROCESS =
            new InheritedSockets(System.getenv(), ProcessHandle.current().pid());

    private static final int FIRST = 3;

    /** What the kernel calls a socket that listens, in the fourth column. */
    private static final Map<String, String> LISTENING = Map.of("tcp", "0A", "tcp6", "0A", "unix", "00010000");

    private static final Map<String, ProtocolFamily> FAMILIES = Map.of(
            "tcp", StandardProtocolFamily.INET,
            "tcp6", StandardProtocolFamily.INET6,
            "unix", StandardProtocolFamily.UNIX);

    /**
     * A socket that listens.
     *
     * @param descriptor the number of its file
     * @param family of the addresses of its clients
     */
    public record Listening(int descriptor, ProtocolFamily family) {}

    private record Passed(int descriptor, String name) {}

    private final List<Passed> all;

    // guarded by this
    private final List<Passed> unused;

    /** @param process the id of this one: others that inherited the variables have no such sockets */
    InheritedSockets(Map<String, String> environment, long process) {
        List<Passed> passed = new ArrayList<>();
        if (Long.toString(process).equals(environment.get("LISTEN_PID"))) {
            int count = count(environment.getOrDefault("LISTEN_FDS", "0"));
            String[] names = environment.getOrDefault("LISTEN_FDNAMES", "").split(":", -1);
            for (int i = 0; i < count; i++) {
                passed.add(new Passed(FIRST + i, i < names.length ? names[i] : "unknown"));
            }
        }
        all = List.copyOf(passed);
        unused = new ArrayList<>(passed);
    }

    private static int count(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The names of those that nobody listens on: their clients would wait for ever. */
    public synchronized List<String> unused() {
        return unused.stream().map(Passed::name).toList();
    }

    /** As {@link #take}, opened as a channel, which closes it. */
    public ServerSocketChannel open(InheritedAddress address, boolean tcp) throws IOException {
        return channel(take(address, tcp));
    }

    /**
     * Takes the first unused one of a name. The caller closes it.
     *
     * @param tcp whether it must not be a Unix domain socket
     * @throws BindException if there is none, or it does not listen; the message says what was expected
     */
    public Listening take(InheritedAddress address, boolean tcp) throws IOException {
        Passed passed = take(address);
        String kind = kind(passed.descriptor);
        if (kind == null || tcp && kind.equals("unix")) {
            throw new BindException("cannot listen on " + address + ": descriptor " + passed.descriptor
                    + (kind == null
                            ? " is no listening stream socket; write ListenStream= and Accept=no in the .socket unit"
                            : " is a Unix domain socket, on which only nio listens"));
        }
        return new Listening(passed.descriptor, Objects.requireNonNull(FAMILIES.get(kind)));
    }

    private synchronized Passed take(InheritedAddress address) throws BindException {
        for (Passed each : unused) {
            if (each.name.equals(address.name())) {
                unused.remove(each);
                return each;
            }
        }
        throw new BindException("cannot listen on " + address + ": the process was started with "
                + (all.isEmpty()
                        ? "no sockets (LISTEN_FDS); a .socket unit with FileDescriptorName=" + address.name()
                                + " opens it"
                        : "those named "
                                + String.join(
                                        ", ", all.stream().map(Passed::name).toList())
                                + (all.stream().anyMatch(each -> each.name.equals(address.name()))
                                        ? ", and another connector uses it"
                                        : "; FileDescriptorName= of the .socket unit names them")));
    }

    /** The kernel's file about sockets of the descriptor's kind; null if it is none that listens. */
    private static @Nullable String kind(int descriptor) throws IOException {
        Path link = Path.of("/proc/self/fd/" + descriptor);
        String target =
                Files.isSymbolicLink(link) ? Files.readSymbolicLink(link).toString() : "";
        if (!target.startsWith("socket:[")) {
            return null;
        }
        String inode = target.substring("socket:[".length(), target.length() - 1);
        for (String kind : List.of("tcp", "tcp6", "unix")) {
            Path table = Path.of("/proc/self/net/" + kind);
            int column = kind.equals("unix") ? 6 : 9;
            if (Files.isReadable(table)
                    && Files.readAllLines(table).stream()
                            .map(line -> line.strip().split("\\s+"))
                            .anyMatch(row -> row.length > column
                                    && row[column].equals(inode)
                                    && row[3].equals(LISTENING.get(kind)))) {
                return kind;
            }
        }
        return null;
    }

    /** By the constructor that the JDK uses for its own inherited channel, which is that of the standard input only. */
    private static ServerSocketChannel channel(Listening socket) throws IOException {
        try {
            Constructor<FileDescriptor> made = FileDescriptor.class.getDeclaredConstructor(int.class);
            made.setAccessible(true);
            Constructor<?> channel = Class.forName("sun.nio.ch.ServerSocketChannelImpl")
                    .getDeclaredConstructor(
                            SelectorProvider.class, ProtocolFamily.class, FileDescriptor.class, boolean.class);
            channel.setAccessible(true);
            return (ServerSocketChannel) channel.newInstance(
                    SelectorProvider.provider(), socket.family, made.newInstance(socket.descriptor), true);
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            throw new IOException(
                    "this Java does not open inherited sockets by name (" + e.getMessage() + "). Start it with"
                            + " --add-opens=java.base/java.io=ALL-UNNAMED and --add-opens=java.base/sun.nio.ch=ALL-UNNAMED, as the"
                            + " start script does",
                    e);
        }
    }
}
