package io.millrace.standalone.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sizes and modification times of the files that an application's deployment depends on: the WAR, or the descriptors in a
 * directory. Equal stamps mean that nothing has changed.
 */
public record Stamp(String text) {

    /** Files whose change redeploys a directory. Pages and classes do not, as in Tomcat. */
    private static final List<String> WATCHED = List.of("WEB-INF/web.xml", "META-INF/context.xml");

    /**
     * Returns the current stamp.
     *
     * @param own the application's own file in conf/Catalina; null if there is no such directory
     * @param watched further files; relative ones are in a docBase that is a directory
     */
    public static Stamp of(Path docBase, @Nullable Path own, List<String> watched) {
        StringBuilder text = new StringBuilder(docBase.toString());
        if (own != null) {
            append(text, own);
        }
        boolean directory = Files.isDirectory(docBase);
        if (directory) {
            WATCHED.forEach(file -> append(text, docBase.resolve(file)));
        } else {
            append(text, docBase);
        }
        for (String file : watched) {
            if (directory || Path.of(file).isAbsolute()) {
                append(text, docBase.resolve(file));
            }
        }
        return new Stamp(text.toString());
    }

    private static void append(StringBuilder text, Path file) {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            text.append(' ').append(found.size()).append('@').append(found.lastModifiedTime());
        } catch (IOException missing) {
            text.append(" -");
        }
    }
}
