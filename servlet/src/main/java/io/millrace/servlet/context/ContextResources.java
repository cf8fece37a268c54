package io.millrace.servlet.context;

import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The application's files as its context exposes them (Servlet 3.1, 4.6). A path that leaves the application has no resource. A
 * missing leading slash is supplied where Tomcat supplies it, because applications depend on that. Thread-safe.
 */
final class ContextResources {

    /** Represents the application's root while dot segments are resolved. */
    private static final Path ROOT = Path.of("/root");

    private final ResourceTree tree;
    private final Map<String, String> mimeTypes;

    ContextResources(ResourceTree tree, Map<String, String> mimeTypes) {
        this.tree = tree;
        this.mimeTypes = mimeTypes;
    }

    /**
     * The paths directly below a directory.
     *
     * @throws IllegalArgumentException if the path does not begin with a slash
     */
    @Nullable
    Set<String> paths(@Nullable String directory) {
        if (directory == null) {
            return null;
        }
        requireSlash(directory);
        String normal = normalized(directory);
        return normal == null ? null : tree.list(normal);
    }

    /** Throws IllegalArgumentException for a path that does not begin with a slash, as Tomcat does. */
    static void requireSlash(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path \"" + path + "\" must begin with a slash");
        }
    }

    @Nullable
    URL url(@Nullable String path) throws MalformedURLException {
        if (path == null) {
            throw new MalformedURLException("the path is null");
        }
        Resource resource = find(path);
        return resource == null ? null : resource.url();
    }

    /** Also null for a directory. */
    @Nullable
    InputStream open(@Nullable String path) {
        Resource resource = find(path);
        try {
            return resource == null || resource.isDirectory() ? null : resource.open();
        } catch (IOException e) {
            ServletLog.CONTEXT.debugf(e, "resource %s can't be opened", path);
            return null;
        }
    }

    /**
     * The path in the file system, also of a file that does not exist; null if the resource is in a jar, or a file with a slash behind it. A slash at the end stays, as in
     * Tomcat: applications append file names to {@code getRealPath("/")}.
     */
    @Nullable
    String realPath(@Nullable String path) {
        String normal = normalized(path);
        if (normal == null) {
            return null;
        }
        Resource resource = tree.find(normal);
        Path file = resource == null ? tree.docBase().resolve(normal.substring(1)) : resource.file();
        if (file == null) {
            return null;
        }
        String name = file.toString();
        if (resource == null && normal.endsWith("/") && Files.isRegularFile(file)) {
            return null;
        }
        return normal.endsWith("/") && !name.endsWith(File.separator) ? name + File.separator : name;
    }

    /** The type by file extension; null if unknown. */
    @Nullable
    String mimeType(@Nullable String file) {
        int dot = file == null ? -1 : file.lastIndexOf('.');
        if (file == null || dot < 0 || dot < file.lastIndexOf('/')) {
            return null;
        }
        String extension = file.substring(dot + 1);
        String type = mimeTypes.get(extension);
        return type != null ? type : mimeTypes.get(extension.toLowerCase(Locale.ROOT));
    }

    private @Nullable Resource find(@Nullable String path) {
        String normal = normalized(path);
        return normal == null ? null : tree.find(normal);
    }

    /** The path with a leading slash and dot segments resolved; null if it leaves the root. */
    private static @Nullable String normalized(@Nullable String name) {
        if (name == null) {
            return null;
        }
        String path = name.startsWith("/") ? name : "/" + name;
        if (!path.contains("//") && !path.contains("/.")) {
            return path;
        }
        Path normal = ROOT.resolve(path.substring(1).replaceFirst("^/+", "")).normalize();
        if (!normal.startsWith(ROOT)) {
            return null;
        }
        String below = normal.toString().substring(ROOT.toString().length());
        return below.isEmpty() || path.endsWith("/") ? below + "/" : below;
    }
}
