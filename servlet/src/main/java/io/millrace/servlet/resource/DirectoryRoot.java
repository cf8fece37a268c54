package io.millrace.servlet.resource;

import io.millrace.files.FileStamp;
import io.millrace.files.SymbolicLinks;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A directory with resources. Files outside of it are found only through permitted symbolic links, and files in WEB-INF or
 * META-INF not through links from outside. Thread-safe.
 */
record DirectoryRoot(Path directory, SymbolicLinks links) {

    private static final Logger LOG = Logger.getLogger(DirectoryRoot.class);

    /**
     * Finds the resource of a path.
     *
     * @param plain begins with a slash, without dot segments and trailing slash; empty for the directory itself
     * @param name the name of the resource
     */
    @Nullable
    Resource find(String plain, String name) {
        try {
            Path real = resolve(directory, plain).toRealPath();
            if (!mayBeReached(real, directory.toRealPath(), plain)) {
                LOG.debugf("not following a symbolic link out of %s, or into a protected directory", directory);
                return null;
            }
            return of(real, name);
        } catch (IOException | InvalidPathException notThere) {
            return null;
        }
    }

    /** The resource; null if it is neither a file nor a directory, as a pipe or a device would block its reader. */
    static @Nullable Resource of(Path real, String name) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
        return attributes.isDirectory() || attributes.isRegularFile() ? new FileResource(name, real, attributes) : null;
    }

    /** Whether a file may be served under a path. */
    boolean mayBeReached(Path real, Path root, String plain) {
        if (!real.startsWith(root)) {
            return links == SymbolicLinks.FOLLOWED;
        }
        int depth = root.getNameCount();
        boolean hidden = real.getNameCount() > depth && isProtected("/" + real.getName(depth));
        boolean linked = links == SymbolicLinks.REFUSED && !real.equals(resolve(root, plain));
        return !linked && (!hidden || isProtected(plain));
    }

    /** Whether it is the path of WEB-INF or META-INF, in upper or lower case, or below it. */
    static boolean isProtected(String path) {
        return beginsWith(path, "WEB-INF") || beginsWith(path, "META-INF");
    }

    private static boolean beginsWith(String path, String segment) {
        int end = 1 + segment.length();
        return path.regionMatches(true, 1, segment, 0, segment.length())
                && (path.length() == end || path.charAt(end) == '/');
    }

    private static Path resolve(Path root, String plain) {
        return root.resolve(plain.substring(Math.min(1, plain.length())));
    }

    /**
     * Adds the paths directly below a directory, those of directories with a trailing slash.
     *
     * @param prefix the path of the directory
     */
    void list(String plain, String prefix, Set<String> paths) {
        Resource found = find(plain, "");
        Path file = found == null || !found.isDirectory() ? null : found.file();
        if (file == null) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(file)) {
            for (Path each : files) {
                paths.add(prefix + "/" + each.getFileName() + (Files.isDirectory(each) ? "/" : ""));
            }
        } catch (IOException e) {
            LOG.debugf(e, "%s can't be listed", file);
        }
    }

    /**
     * A file or directory of the document base.
     *
     * @param file with symbolic links resolved
     */
    private record FileResource(String name, Path file, BasicFileAttributes attributes) implements Resource {

        @Override
        public Object stamp() {
            return FileStamp.of(attributes);
        }

        @Override
        public boolean isDirectory() {
            return attributes.isDirectory();
        }

        @Override
        public long length() {
            return attributes.size();
        }

        @Override
        public long lastModified() {
            return attributes.lastModifiedTime().toMillis();
        }

        /** Does not follow a symbolic link that has replaced the file since it was found. */
        @Override
        public InputStream open() throws IOException {
            return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
        }

        @Override
        public URL url() {
            try {
                return file.toUri().toURL();
            } catch (java.net.MalformedURLException e) {
                throw new IllegalStateException("the path " + file + " cannot be converted to a URL", e);
            }
        }
    }
}
