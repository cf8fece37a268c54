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

/** The file of a Unix domain socket: users with write permission may connect. Remains if the server is killed. */
public final class UnixSocketFile {

    /** The attribute with type and permissions of a file; the mask of the type, and its value for a socket. */
    private static final String MODE = "unix:mode";

    private static final int TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private final Path path;
    private final Set<PosixFilePermission> permissions;

    /** The file of a connector. */
    public UnixSocketFile(Path path, Set<PosixFilePermission> permissions) {
        this.path = path;
        this.permissions = permissions;
    }

    UnixDomainSocketAddress address() {
        return UnixDomainSocketAddress.of(path);
    }

    /**
     * Removes the file of a server that ended without closing its socket.
     *
     * @throws IOException if a process listens on it, or the file is not a socket, and therefore not ours
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

    /** Sets the permissions. Called after binding. */
    void permit() throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(path, permissions);
        }
    }

    /** Deletes the file. Called after closing. */
    void remove() throws IOException {
        Files.deleteIfExists(path);
    }
}
