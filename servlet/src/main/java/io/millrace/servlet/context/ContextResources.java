package io.millrace.servlet.context;

import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The application's files as its context exposes them (Servlet 3.1, 4.6). A path that leaves the application, or does not begin
 * with a slash, has no resource. Thread-safe.
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

    @Nullable
    Set<String> paths(@Nullable String directory) {
        String normal = normalized(directory);
        return normal == null ? null : tree.list(normal);
    }

    @Nullable
    URL url(@Nullable String path) throws MalformedURLException {
        if (path == null || !path.startsWith("/")) {
            throw new MalformedURLException("\"" + path + "\" must begin with a slash");
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
            ContextMessages.LOG.debugf(e, "resource %s can't be opened", path);
            return null;
        }
    }

    /** The resource's path in the file system, even if it does not exist; null if it is in a JAR. The leading slash is optional. */
    @Nullable
    String realPath(@Nullable String path) {
        String normal = path == null ? null : normalized(path.startsWith("/") ? path : "/" + path);
        if (normal == null) {
            return null;
        }
        Resource resource = tree.find(normal);
        if (resource != null) {
            Path file = resource.file();
            return file == null ? null : file.toString();
        }
        return tree.docBase().resolve(normal.substring(1)).toString();
    }

    /** The type by file extension; null if unknown. */
    @Nullable
    String mimeType(String file) {
        int dot = file.lastIndexOf('.');
        if (dot < 0 || dot < file.lastIndexOf('/')) {
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

    /** The path with dot segments resolved; null if it leaves the root. */
    private static @Nullable String normalized(@Nullable String path) {
        if (path == null || !path.startsWith("/")) {
            return null;
        }
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
