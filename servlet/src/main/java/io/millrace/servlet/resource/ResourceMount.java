package io.millrace.servlet.resource;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Files that are mounted into an application, as by Tomcat's {@code DirResourceSet}, {@code FileResourceSet} and {@code
 * JarResourceSet}.
 *
 * @param base the directory, the file or the jar
 * @param internal the path in the directory or jar whose files are mounted; empty for its root, and for a file
 * @param at the path in the application at which the files are mounted; empty for its root
 * @param classesOnly only the class loader sees the files
 * @param filesOnly the class loader does not see the files
 */
public record ResourceMount(Kind kind, Path base, String internal, String at, boolean classesOnly, boolean filesOnly) {

    /** The kind of {@code base}. */
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
     * Checks the paths.
     *
     * @throws IllegalArgumentException if a path is invalid, or a file is mounted at the root
     */
    public ResourceMount {
        if (!isPath(internal) || !isPath(at)) {
            throw new IllegalArgumentException("internal path \"" + internal + "\", mounted at \"" + at + "\": expected"
                    + " paths that begin with a slash and do not end with one, without empty and dot segments");
        }
        if (kind == Kind.FILE && at.isEmpty()) {
            throw new IllegalArgumentException("the file " + base
                    + " is mounted at the root of the application; only a directory or a jar can be, so name a path");
        }
    }

    /** Whether a path is empty, or begins with a slash and has no empty and no dot segments. */
    public static boolean isPath(String path) {
        return path.isEmpty() || PATH.matcher(path).matches();
    }
}
