package io.millrace.server;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** The file of a Unix domain socket: users that may write to it may connect. It outlives a server that was killed. */
public final class UnixSocketFile {

    /** Type and permissions of a file, as the "unix" view of the JDK has them; and the type of a socket in them. */
    private static final String MODE = "unix:mode";

    private static final int TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private final Path path;
    private final Set<PosixFilePermission> permissions;

    /** Of a connector. */
    public UnixSocketFile(Path path, Set<PosixFilePermission> permissions) {
        this.path = path;
        this.permissions = permissions;
    }

    UnixDomainSocketAddress address() {
        return UnixDomainSocketAddress.of(path);
    }

    /**
     * Removes what a server that ended without closing its socket left behind.
     *
     * @throws IOException if a process listens there, or it is not a socket: then it is not ours to remove
     */
    void removeStale() throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        int mode = (int) Files.getAttribute(path, MODE, LinkOption.NOFOLLOW_LINKS);
        if ((mode & TYPE) != SOCKET) {
            throw new IOException("a file of that name exists and is not a socket");
        }
        if (isListenedTo()) {
            throw new IOException("another process listens there");
        }
        Files.delete(path);
    }

    private boolean isListenedTo() {
        try (SocketChannel client = SocketChannel.open(address())) {
            return client.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    /** After binding: lets those connect who may. */
    void permit() throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(path, permissions);
        }
    }

    /** After closing. */
    void remove() throws IOException {
        Files.deleteIfExists(path);
    }
}
