package io.millrace.servlet.resource;

import io.millrace.files.SymbolicLinks;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** An open {@link ResourceMount}. Its jar stays open until this is closed. Thread-safe. */
final class MountedResources implements Closeable {

    private static final Logger LOG = Logger.getLogger(MountedResources.class);

    private final ResourceMount mount;
    private final DirectoryRoot directory;
    /** Null unless it is a JAR with resources at its internal path. */
    private final @Nullable JarResources jar;

    private MountedResources(ResourceMount mount, DirectoryRoot directory, @Nullable JarResources jar) {
        this.mount = mount;
        this.directory = directory;
        this.jar = jar;
    }

    static MountedResources open(ResourceMount mount, SymbolicLinks links) throws IOException {
        boolean isJar = mount.kind() == ResourceMount.Kind.JAR;
        Path from = isJar || mount.internal().isEmpty()
                ? mount.base()
                : mount.base().resolve(mount.internal().substring(1));
        return new MountedResources(
                mount,
                new DirectoryRoot(from, links),
                isJar ? JarResources.open(mount.base(), mount.internal()) : null);
    }

    /** The resource at a path, which begins with a slash or is empty, without trailing slash. */
    @Nullable
    Resource find(String path) {
        String below = below(path);
        if (below == null) {
            return null;
        }
        String name = path.substring(path.lastIndexOf('/') + 1);
        return switch (mount.kind()) {
            case DIRECTORY -> directory.find(below, name);
            case JAR -> jar == null ? null : jar.find(below, name);
            case FILE -> below.isEmpty() ? file(name) : null;
        };
    }

    private @Nullable Resource file(String name) {
        try {
            Resource found = DirectoryRoot.of(directory.directory().toRealPath(), name);
            return found != null && found.isDirectory() ? null : found;
        } catch (IOException | InvalidPathException notThere) {
            return null;
        }
    }

    /** Whether it is mounted below this path. */
    boolean isBelow(String path) {
        return mount.at().startsWith(path + "/");
    }

    /** Adds the paths directly below a directory, those of directories with a trailing slash. */
    void list(String path, Set<String> paths) {
        if (isBelow(path)) {
            int from = path.length() + 1;
            int slash = mount.at().indexOf('/', from);
            boolean last = slash < 0;
            String next = last ? mount.at() : mount.at().substring(0, slash);
            if (!last) {
                paths.add(next + "/");
            } else {
                Resource found = find(next);
                if (found != null) {
                    paths.add(found.isDirectory() ? next + "/" : next);
                }
            }
            return;
        }
        String below = below(path);
        if (below != null && mount.kind() == ResourceMount.Kind.DIRECTORY) {
            directory.list(below, path, paths);
        } else if (below != null && jar != null) {
            jar.list(below).forEach(found -> paths.add(mount.at() + found));
        }
    }

    /** The path relative to the mount point; null if it is outside. */
    private @Nullable String below(String path) {
        String at = mount.at();
        boolean inside = path.startsWith(at) && (path.length() == at.length() || path.charAt(at.length()) == '/');
        return inside ? path.substring(at.length()) : null;
    }

    @Override
    public void close() {
        try {
            if (jar != null) {
                jar.close();
            }
        } catch (IOException e) {
            LOG.debugf(e, "failed to close %s", mount.base());
        }
    }
}
