package io.millrace.servlet.resource;

import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a web application's paths stand for: its document base, then {@code META-INF/resources} of its jars in order
 * (Servlet 3.1, 4.6). Nothing outside of these is ever found, not through dots nor symbolic links. Any thread.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class ResourceTree implements Closeable {

    public ResourceTree(Path docBase, List<Path> libraries) {}

    /** The document base. */
    public Path docBase() {
        throw new UnsupportedOperationException();
    }

    /**
     * What lies at a path, WEB-INF included.
     *
     * @param path decoded; begins with a slash
     */
    public @Nullable Resource find(String path) {
        throw new UnsupportedOperationException();
    }

    /** ServletContext.getResourcePaths: directly below a directory, directories with a final slash; null if there is none. */
    public @Nullable Set<String> list(String directory) {
        throw new UnsupportedOperationException();
    }

    /** True for what no client may see: WEB-INF and META-INF in any spelling. */
    public static boolean isProtected(String path) {
        int end = path.indexOf('/', 1);
        String first = path.substring(Math.min(1, path.length()), end < 0 ? path.length() : end);
        return first.equalsIgnoreCase("WEB-INF") || first.equalsIgnoreCase("META-INF");
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
