package io.millrace.standalone.admin;

import io.millrace.text.Digests;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the socket is by which the commands reach the server of a base directory: {@code work/admin/socket}, in a directory that only the
 * server's user may enter. If that path is too long for a socket, or cannot be written, it is in {@code $XDG_RUNTIME_DIR/millrace} or in the
 * temporary directory, under a name made from the base directory, so that the commands find it.
 */
public final class AdminSocket {

    /** The longest path of a socket in bytes: {@code sun_path} has 108 on Linux, the last of them zero. */
    private static final int LONGEST = 107;

    private AdminSocket() {}

    /** Where it is, if the base directory permits. */
    public static Path usual(Path base) {
        return base.resolve("work").resolve("admin").resolve("socket");
    }

    /** Where it is otherwise. */
    public static Path elsewhere(Path base) {
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        Path directory = runtime == null || runtime.isBlank()
                ? Path.of("/tmp").resolve("millrace-" + System.getProperty("user.name"))
                : Path.of(runtime).resolve("millrace");
        return directory.resolve(Digests.hex(Digests.SHA_256, base.toString()).substring(0, 16) + ".socket");
    }

    private static boolean fits(Path socket) {
        return socket.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST;
    }

    /**
     * The socket of a running server.
     *
     * @return null if no server listens
     */
    public static @Nullable SocketChannel connect(Path base) throws IOException {
        return connect(base, channel -> {});
    }

    /**
     * The socket of a running server.
     *
     * @param opened is called with the channel before it is connected, which may take time if the server hangs
     * @return null if no server listens
     */
    public static @Nullable SocketChannel connect(Path base, Consumer<SocketChannel> opened) throws IOException {
        Path usual = usual(base);
        for (Path socket : new Path[] {usual, elsewhere(base)}) {
            if (fits(socket) && Files.exists(socket) && (socket.equals(usual) || isOurs(socket.getParent()))) {
                SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                opened.accept(channel);
                try {
                    channel.connect(UnixDomainSocketAddress.of(socket));
                    return channel;
                } catch (java.net.ConnectException nobody) {
                    channel.close(); // of a server that was killed
                } catch (IOException e) {
                    channel.close();
                    throw new IOException(socket + ": " + e.getMessage(), e);
                }
            }
        }
        return null;
    }

    /**
     * Makes the directory of a server's socket, for nobody but its user, and returns the socket's path.
     *
     * @throws IOException if there is no place for it; the message says why
     */
    public static Path prepare(Path base) throws IOException {
        Path usual = usual(base);
        String why;
        if (fits(usual)) {
            try {
                Files.createDirectories(base.resolve("work"));
                own(usual.getParent());
                Files.deleteIfExists(usual.resolveSibling("where"));
                return usual;
            } catch (IOException e) {
                why = e.toString();
            }
        } else {
            why = "the path of " + usual + " is longer than " + LONGEST + " bytes";
        }
        Path other = elsewhere(base);
        try {
            own(other.getParent());
        } catch (IOException e) {
            throw new IOException(why + "; and " + e, e);
        }
        try {
            own(usual.getParent());
            Files.writeString(usual.resolveSibling("where"), other + "\n");
        } catch (IOException readOnly) {
            // the commands know both places
        }
        return other;
    }

    /** Whether a directory, which may be below one where everybody may write, was made by this user. */
    private static boolean isOurs(@Nullable Path directory) throws IOException {
        return directory != null
                && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                && (Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS)
                                .getName()
                                .equals(System.getProperty("user.name"))
                        || isOfProcess(directory));
    }

    /** By number: in a container the user of a process may have no name. */
    private static boolean isOfProcess(Path directory) throws IOException {
        Path process = Path.of("/proc/self");
        return Files.exists(process)
                && Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(Files.getAttribute(process, "unix:uid"));
    }

    private static void own(@Nullable Path directory) throws IOException {
        if (directory == null) {
            throw new IOException("a socket needs a directory");
        }
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException there) {
            if (!isOurs(directory)) {
                throw new IOException(directory + " belongs to somebody else", there);
            }
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        } catch (UnsupportedOperationException notPosix) {
            throw new IOException("this system has no permissions of files", notPosix);
        }
    }
}
