package io.millrace.servlet.resource;

import io.millrace.files.FileSource;
import io.millrace.files.SymbolicLinks;
import java.io.Closeable;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The files of a web application: its document base, then {@code META-INF/resources} of its jars in order (Servlet 3.1, 4.6), and
 * the mounts before, between and after these. Paths cannot leave them by dot segments or by symbolic links that are not
 * permitted, nor enter WEB-INF or META-INF through a symbolic link from outside. Thread-safe.
 */
public final class ResourceTree implements FileSource, Closeable {

    private static final Logger LOG = Logger.getLogger(ResourceTree.class);

    private final Path docBase;
    /** The document base and the unpacked META-INF/resources of jars. */
    private final List<DirectoryRoot> roots;

    private final List<MountedResources> pre;
    private final List<MountedResources> middle;
    private final List<MountedResources> post;

    private final List<Path> libraries;
    private final List<URL> nested;
    private @Nullable List<JarResources> jars;
    private boolean closed;

    /**
     * Creates a tree without mounts. Jars are opened by the first lookup that needs them.
     *
     * @param docBase an existing directory
     * @param libraries the application's jars in order, or directories with their unpacked META-INF/resources
     * @param links the permitted targets of symbolic links
     */
    public ResourceTree(Path docBase, List<Path> libraries, SymbolicLinks links) {
        this(docBase, libraries, List.of(), links, List.of(), List.of(), List.of());
    }

    private ResourceTree(
            Path docBase,
            List<Path> libraries,
            List<URL> nested,
            SymbolicLinks links,
            List<MountedResources> pre,
            List<MountedResources> middle,
            List<MountedResources> post) {
        this.docBase = docBase;
        this.nested = nested;
        this.pre = pre;
        this.middle = middle;
        this.post = post;
        List<Path> directories = new ArrayList<>(List.of(docBase));
        libraries.stream().filter(Files::isDirectory).forEach(directories::add);
        this.roots = directories.stream()
                .map(directory -> new DirectoryRoot(directory, links))
                .toList();
        this.libraries =
                libraries.stream().filter(path -> !Files.isDirectory(path)).toList();
    }

    /**
     * Creates a tree with mounts, whose jars it opens.
     *
     * @throws IOException if the jar of a mount does not exist or cannot be read
     */
    public static ResourceTree of(Path docBase, List<Path> libraries, SymbolicLinks links, ExtraResources extra)
            throws IOException {
        List<MountedResources> opened = new ArrayList<>();
        try {
            List<MountedResources> pre = open(extra.pre(), links, opened);
            List<MountedResources> middle = open(extra.jars(), links, opened);
            return new ResourceTree(
                    docBase, libraries, extra.libraries(), links, pre, middle, open(extra.post(), links, opened));
        } catch (IOException | RuntimeException | Error e) {
            opened.forEach(MountedResources::close);
            throw e;
        }
    }

    private static List<MountedResources> open(
            List<ResourceMount> mounts, SymbolicLinks links, List<MountedResources> opened) throws IOException {
        int from = opened.size();
        for (ResourceMount mount : mounts) {
            opened.add(MountedResources.open(mount, links));
        }
        return List.copyOf(opened.subList(from, opened.size()));
    }

    /** The document base. */
    public Path docBase() {
        return docBase;
    }

    /**
     * Finds a file or directory, also in WEB-INF and META-INF. Blocks for file I/O.
     *
     * @param path decoded; begins with a slash. With a trailing slash, only directories are found
     * @return null if there is none, or the path is invalid
     */
    @Override
    public @Nullable Resource find(String path) {
        if (!isClean(path)) {
            return null;
        }
        boolean slash = path.endsWith("/");
        String plain = slash ? path.substring(0, path.length() - 1) : path;
        Resource found = search(plain);
        return found != null && slash && !found.isDirectory() ? null : found;
    }

    private @Nullable Resource search(String plain) {
        Resource found = inMounts(pre, plain);
        found = found == null ? inRoots(plain) : found;
        found = found == null ? inMounts(middle, plain) : found;
        found = found == null ? inJars(plain) : found;
        found = found == null ? inMounts(post, plain) : found;
        return found == null && mounts().anyMatch(mount -> mount.isBelow(plain))
                ? new VirtualDirectory(nameOf(plain), docBase, plain)
                : found;
    }

    private Stream<MountedResources> mounts() {
        return Stream.of(pre, middle, post).flatMap(List::stream);
    }

    private static @Nullable Resource inMounts(List<MountedResources> mounts, String plain) {
        for (MountedResources mount : mounts) {
            Resource found = mount.find(plain);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static String nameOf(String plain) {
        return plain.substring(plain.lastIndexOf('/') + 1);
    }

    /** Whether there is a mounted file or directory at this path or below it. */
    boolean isMounted(String plain) {
        return mounts().anyMatch(mount -> mount.isBelow(plain) || mount.find(plain) != null);
    }

    /** The files and directories directly below a directory, without WEB-INF and META-INF; empty if there is no such directory. */
    @Override
    public List<Resource> listing(String directory) {
        List<Resource> shown = new ArrayList<>();
        Set<String> paths = list(directory);
        for (String path : paths == null ? Set.<String>of() : paths) {
            Resource resource = isProtected(path) ? null : find(path);
            if (resource != null) {
                shown.add(resource);
            }
        }
        return shown;
    }

    /**
     * Returns the file in the document base to which a path is written, whether it exists or not.
     *
     * @return null if the path cannot be written: it has dot segments, leaves the document base through a symbolic link or is
     *     one, its directory does not exist, or a mount hides it
     */
    public @Nullable Path place(String path) {
        int slash = path.lastIndexOf('/');
        if (!isClean(path) || slash == path.length() - 1 || inMounts(pre, path) != null) {
            return null;
        }
        try {
            Path root = docBase.toRealPath();
            Path directory =
                    root.resolve(path.substring(Math.min(1, slash), slash)).toRealPath();
            Path file = directory.resolve(path.substring(slash + 1));
            boolean inside = directory.startsWith(root) && roots.get(0).mayBeReached(file, root, path);
            return inside && !Files.isSymbolicLink(file) ? file : null;
        } catch (IOException | InvalidPathException notThere) {
            return null;
        }
    }

    /**
     * The paths directly below a directory, those of directories with a trailing slash ({@code ServletContext.getResourcePaths});
     * null if there is no such directory.
     */
    public @Nullable Set<String> list(String directory) {
        Resource found = find(directory);
        if (found == null || !found.isDirectory()) {
            return null;
        }
        String plain = directory.endsWith("/") ? directory.substring(0, directory.length() - 1) : directory;
        Set<String> paths = new TreeSet<>();
        roots.forEach(root -> root.list(plain, plain, paths));
        mounts().forEach(mount -> mount.list(plain, paths));
        for (JarResources jar : jars()) {
            paths.addAll(jar.list(plain));
        }
        return paths;
    }

    /** True for the paths of WEB-INF and META-INF, in upper or lower case, which must not be served to clients. */
    public static boolean isProtected(String path) {
        return DirectoryRoot.isProtected(path);
    }

    @Override
    public synchronized void close() {
        closed = true;
        mounts().forEach(MountedResources::close);
        if (jars != null) {
            jars.forEach(ResourceTree::closeQuietly);
            jars = null;
        }
    }

    /** True for a path without empty, {@code .} and {@code ..} segments, NUL, and the system's separator unless that is a slash. */
    private static boolean isClean(String path) {
        if (!path.startsWith("/")
                || path.indexOf('\0') >= 0
                || File.separatorChar != '/' && path.indexOf(File.separatorChar) >= 0) {
            return false;
        }
        int start = 1;
        while (start < path.length()) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            if (isEmptyOrDots(path, start, end)) {
                return false;
            }
            start = end + 1;
        }
        return true;
    }

    private static boolean isEmptyOrDots(String path, int start, int end) {
        return switch (end - start) {
            case 0 -> true;
            case 1 -> path.charAt(start) == '.';
            case 2 -> path.charAt(start) == '.' && path.charAt(start + 1) == '.';
            default -> false;
        };
    }

    private @Nullable Resource inRoots(String plain) {
        for (DirectoryRoot root : roots) {
            Resource found = root.find(plain, nameOf(plain));
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable Resource inJars(String plain) {
        for (JarResources jar : jars()) {
            Resource found = jar.find(plain, nameOf(plain));
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private synchronized List<JarResources> jars() {
        List<JarResources> opened = jars;
        if (opened == null) {
            opened = closed ? List.of() : openJars();
            jars = opened;
        }
        return opened;
    }

    private List<JarResources> openJars() {
        List<JarResources> opened = new ArrayList<>();
        libraries.forEach(
                library -> open(library, () -> JarResources.open(library, JarResources.OF_LIBRARIES), opened));
        nested.forEach(library -> open(library, () -> JarResources.open(library, JarResources.OF_LIBRARIES), opened));
        return List.copyOf(opened);
    }

    private static void open(Object library, JarOpening opening, List<JarResources> opened) {
        try {
            JarResources resources = opening.open();
            if (resources != null) {
                opened.add(resources);
            }
        } catch (IOException e) {
            LOG.debugf(e, "failed to open %s; its resources are not available", library);
        }
    }

    private interface JarOpening {
        @Nullable
        JarResources open() throws IOException;
    }

    private static void closeQuietly(JarResources jar) {
        try {
            jar.close();
        } catch (IOException e) {
            LOG.debugf(e, "failed to close a JAR");
        }
    }

    /** A directory that exists only because something is mounted below it. */
    private record VirtualDirectory(String name, Path docBase, String path) implements Resource {

        @Override
        public Object stamp() {
            return path;
        }

        @Override
        public boolean isDirectory() {
            return true;
        }

        @Override
        public long length() {
            return 0;
        }

        @Override
        public long lastModified() {
            return 0;
        }

        @Override
        public InputStream open() throws FileNotFoundException {
            throw new FileNotFoundException(path);
        }

        @Override
        public @Nullable Path file() {
            return null;
        }

        /** The URL that the directory would have. */
        @Override
        public URL url() {
            try {
                return docBase.resolve(path.substring(1)).toUri().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalStateException("the path " + path + " cannot be converted to a URL", e);
            }
        }
    }
}
