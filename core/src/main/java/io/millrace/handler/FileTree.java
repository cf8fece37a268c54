package io.millrace.handler;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A directory out of which no path leads. */
final class FileTree {

    private static final Logger LOG = Logger.getLogger(FileTree.class);

    private final Path root;
    private final boolean followLinks;

    FileTree(Path directory, boolean followLinks) throws IOException {
        root = directory.toRealPath();
        this.followLinks = followLinks;
        if (!Files.isDirectory(root)) {
            throw new NotDirectoryException(directory.toString());
        }
    }

    /**
     * The file of a path, with all links followed; null if there is none, or if it is not for everybody.
     *
     * @param path normalised: each segment names something in the directory named by those before it
     */
    @Nullable
    Path find(String path) throws IOException {
        if (!isPlain(path)) {
            return null;
        }
        try {
            Path file = root.resolve(path.substring(Math.min(1, path.length()))).toRealPath();
            return followLinks || file.startsWith(root) ? file : null;
        } catch (NoSuchFileException | InvalidPathException e) {
            return null;
        } catch (IOException e) {
            LOG.debugf(e, "Can't look for a file in %s", root);
            return null;
        }
    }

    /** Null if it is gone. */
    @Nullable
    BasicFileAttributes attributes(Path file) throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ);
    }

    static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("Can't close a file", e);
        }
    }

    /**
     * No segment may begin with a dot: such files are hidden, and {@code ..} would climb; but well-known locations
     * (RFC 8615) do. Backslash and colon separate on other systems, and no file of a web site has a control character.
     */
    private static boolean isPlain(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c < ' ' || c == 0x7f || c == '\\' || c == ':') {
                return false;
            }
            if (c == '.' && i > 0 && path.charAt(i - 1) == '/' && !(i == 1 && path.startsWith("/.well-known/"))) {
                return false;
            }
        }
        return path.isEmpty() || path.startsWith("/");
    }
}
