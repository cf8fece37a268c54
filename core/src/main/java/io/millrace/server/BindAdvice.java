package io.millrace.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What to do about an address that cannot be listened on. On Linux it names the process that has the port. */
final class BindAdvice {

    /** The state of a listening socket in /proc/net/tcp. */
    private static final String LISTEN = "0A";

    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    private final Path proc;

    /** @param proc the proc file system; it need not exist */
    BindAdvice(Path proc) {
        this.proc = proc;
    }

    /** The system's message with what to do; the message alone if nothing is known. */
    static String explain(@Nullable String message, int port) {
        String text = String.valueOf(message);
        String known = text.toLowerCase(Locale.ROOT);
        if (known.contains("address already in use")) {
            return text + new BindAdvice(Path.of("/proc")).ofTaken(port);
        }
        if (known.contains("permission denied")) {
            return text
                    + "; ports below 1024 need root or the capability CAP_NET_BIND_SERVICE: choose another port, or grant it"
                    + " (systemd: AmbientCapabilities)";
        }
        if (known.contains("cannot assign requested address")) {
            return text + "; this machine has no such address: correct it, or listen on all addresses";
        }
        return text;
    }

    /** The advice for a port that is in use, from a space or a semicolon on. */
    String ofTaken(int port) {
        Holder holder = holder(port);
        return holder == null
                ? "; choose another port, or stop the process that listens there (ss -ltnp shows it)"
                : " by process " + holder.id + " (" + holder.name + "); choose another port, or stop that process";
    }

    private record Holder(String id, String name) {}

    /** The process that listens on the port; null if it is unknown, for instance because it is another user's. */
    private @Nullable Holder holder(int port) {
        try {
            String socket = socket("tcp", port);
            socket = socket == null ? socket("tcp6", port) : socket;
            return socket == null ? null : process(socket);
        } catch (IOException | RuntimeException noLinux) {
            return null;
        }
    }

    /** The target of descriptors of the socket that listens on the port. */
    private @Nullable String socket(String table, int port) throws IOException {
        Path file = proc.resolve("net").resolve(table);
        if (!Files.isReadable(file)) {
            return null;
        }
        String end = String.format(Locale.ROOT, ":%04X", port);
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.strip().split("\\s+", -1);
            if (fields.length > INODE && fields[LOCAL_ADDRESS].endsWith(end) && fields[STATE].equals(LISTEN)) {
                return "socket:[" + fields[INODE] + "]";
            }
        }
        return null;
    }

    private @Nullable Holder process(String socket) throws IOException {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                if (has(process, socket)) {
                    String name = Files.readString(process.resolve("comm")).strip();
                    return new Holder(process.getFileName().toString(), name);
                }
            }
        }
        return null;
    }

    private static boolean has(Path process, String socket) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (socket.equals(Files.readSymbolicLink(descriptor).toString())) {
                    return true;
                }
            }
        } catch (IOException | RuntimeException ended) { // or it is another user's
            return false;
        }
        return false;
    }
}
