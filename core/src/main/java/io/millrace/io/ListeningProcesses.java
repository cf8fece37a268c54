package io.millrace.io;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Finds the processes of this machine that listen on a TCP port, in Linux' proc file system. Its methods read files. */
public final class ListeningProcesses {

    /** The state of a listening socket in /proc/net/tcp. */
    private static final String LISTEN = "0A";

    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    private final Path proc;

    /** @param proc the proc file system; it need not exist */
    public ListeningProcesses(Path proc) {
        this.proc = proc;
    }

    /** Those of this machine. */
    public static ListeningProcesses here() {
        return new ListeningProcesses(Path.of("/proc"));
    }

    /**
     * A process.
     *
     * @param name of its program, as the kernel shortens it; empty if the process has ended
     */
    public record Listener(long pid, String name) {}

    /**
     * All processes that hold a socket which listens on a port of any address, the lowest process id first: a server that has started
     * others shares its socket with them.
     *
     * @return empty if they are unknown: on another system, or because they are another user's
     */
    public List<Listener> on(int port) {
        Set<String> sockets = new HashSet<>();
        addSockets("tcp", port, sockets);
        addSockets("tcp6", port, sockets);
        List<Listener> found = new ArrayList<>();
        if (sockets.isEmpty()) {
            return found;
        }
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                if (hasAny(process, sockets)) {
                    found.add(new Listener(Long.parseLong(String.valueOf(process.getFileName())), name(process)));
                }
            }
        } catch (IOException | RuntimeException noLinux) {
            return List.of();
        }
        found.sort(Comparator.comparingLong(Listener::pid));
        return found;
    }

    /** Adds the targets of descriptors of the sockets that listen on the port. */
    private void addSockets(String table, int port, Set<String> sockets) {
        String end = String.format(Locale.ROOT, ":%04X", port);
        try {
            for (String line : Files.readAllLines(proc.resolve("net").resolve(table))) {
                String[] fields = line.strip().split("\\s+", -1);
                if (fields.length > INODE && fields[LOCAL_ADDRESS].endsWith(end) && fields[STATE].equals(LISTEN)) {
                    sockets.add("socket:[" + fields[INODE] + "]");
                }
            }
        } catch (IOException | RuntimeException noLinux) {
            // or no IPv6: such a table has no sockets
        }
    }

    private static boolean hasAny(Path process, Set<String> sockets) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (sockets.contains(Files.readSymbolicLink(descriptor).toString())) {
                    return true;
                }
            }
        } catch (IOException | RuntimeException ended) { // or it is another user's
            return false;
        }
        return false;
    }

    private static String name(Path process) {
        try {
            return Files.readString(process.resolve("comm")).strip();
        } catch (IOException | RuntimeException ended) {
            return "";
        }
    }
}
