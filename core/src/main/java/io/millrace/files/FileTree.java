package io.millrace.files;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The files below a directory; no path leads out of it. */
final class FileTree implements FileSource {

    private static final Logger LOG = Logger.getLogger(FileTree.class);

    /** Whether file names may contain colons. */
    private static final boolean COLONS = File.separatorChar == '/';

    private final Path root;
    private final SymbolicLinks links;

    FileTree(Path directory, SymbolicLinks links) throws IOException {
        root = directory.toRealPath();
        this.links = links;
        if (!Files.isDirectory(root)) {
            throw new NotDirectoryException(directory.toString());
        }
    }

    @Override
    public @Nullable ServedFile find(String path) throws IOException {
        Path plain = isPlain(path) ? plain(path) : null;
        if (plain == null) {
            return null;
        }
        try {
            Path real = plain.toRealPath();
            boolean refused = links == SymbolicLinks.REFUSED && !real.equals(plain)
                    || links == SymbolicLinks.INSIDE && !real.startsWith(root);
            return refused ? null : described(path, plain, real);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            LOG.debugf(e, "Cannot look up a file in %s", root);
            return null;
        }
    }

    private @Nullable Path plain(String path) {
        try {
            return root.resolve(path.substring(Math.min(1, path.length()))).normalize();
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** Has the requested name, because the target of a link may have another extension. */
    private static @Nullable DiskFile described(String path, Path plain, Path real) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
        // reading a pipe or device would block
        boolean servable = attributes.isDirectory() || attributes.isRegularFile() && !path.endsWith("/");
        String name = String.valueOf(plain.getFileName());
        return servable ? new DiskFile(name, real, attributes.isDirectory(), FileStamp.of(attributes)) : null;
    }

    @Override
    public List<ServedFile> listing(String directory) throws IOException {
        ServedFile found = find(directory);
        List<ServedFile> files = new ArrayList<>();
        if (found == null || found.file() == null || !found.isDirectory()) {
            return files;
        }
        String prefix = directory.endsWith("/") ? directory : directory + "/";
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(found.file())) {
            for (Path entry : entries) {
                ServedFile file = find(prefix + entry.getFileName());
                if (file != null) {
                    files.add(file);
                }
            }
        }
        return files;
    }

    /**
     * Rejects segments that begin with a dot, which are hidden files or {@code ..}, except well-known locations (RFC 8615);
     * backslashes, which separate segments on Windows; colons where they are not allowed in names, because they have a special
     * meaning there; and control characters.
     */
    private static boolean isPlain(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c < ' ' || c == 0x7f || c == '\\' || c == ':' && !COLONS) {
                return false;
            }
            boolean segment = i > 0 && path.charAt(i - 1) == '/';
            if (segment && (c == '/' || c == '.' && !(i == 1 && isWellKnown(path)))) {
                return false;
            }
        }
        return path.isEmpty() || path.startsWith("/");
    }

    private static boolean isWellKnown(String path) {
        return path.equals("/.well-known") || path.startsWith("/.well-known/");
    }

    /** A file or directory of the file system, symbolic links resolved. */
    private record DiskFile(String name, Path file, boolean isDirectory, FileStamp stamp) implements ServedFile {

        @Override
        public long length() {
            return stamp.size();
        }

        @Override
        public long lastModified() {
            return stamp.modified().toMillis();
        }

        /** Does not follow a symbolic link that was created since the lookup. */
        @Override
        public InputStream open() throws IOException {
            return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
        }
    }
}
