package io.millrace.servlet.resource;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Files from elsewhere that appear among those of an application, as Tomcat's {@code DirResourceSet}, {@code FileResourceSet} and {@code
 * JarResourceSet} let them.
 *
 * @param base the directory, the file or the jar
 * @param internal the path in the directory or jar at which they begin; empty for all of it, and for a file
 * @param at the path in the application at which they appear; empty for its root
 * @param classesOnly only the class loader sees them
 * @param filesOnly the class loader does not see them
 */
public record ResourceMount(Kind kind, Path base, String internal, String at, boolean classesOnly, boolean filesOnly) {

    /** What the base is. */
    public enum Kind {
        /** A directory. */
        DIRECTORY,
        /** One file. */
        FILE,
        /** A jar or another zip file. */
        JAR
    }

    private static final Pattern PATH = Pattern.compile("(?:/(?!\\.{1,2}(?:/|$))[^/\\\\\\x00]+)+");

    /**
     * A mount.
     *
     * @throws IllegalArgumentException if one of the paths is none
     */
    public ResourceMount {
        if (!isPath(internal) || !isPath(at)) {
            throw new IllegalArgumentException("\"" + internal + "\" and \"" + at
                    + "\" are not both paths that begin with a slash, without dots and a slash at their ends");
        }
        if (kind == Kind.FILE && at.isEmpty()) {
            throw new IllegalArgumentException("a file cannot be the root of an application");
        }
    }

    /** Is it empty, or does it begin with a slash, without segments that are empty or dots? */
    public static boolean isPath(String path) {
        return path.isEmpty() || PATH.matcher(path).matches();
    }
}
