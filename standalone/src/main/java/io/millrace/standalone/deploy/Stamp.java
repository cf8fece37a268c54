package io.millrace.standalone.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the files that an application's deployment depends on looked at some time: the WAR, or the descriptors in a directory.
 * Two equal stamps mean that nothing changed between.
 */
public record Stamp(String text) {

    /** What a change of which deploys a directory anew. A changed page or class alone does not, as with Tomcat. */
    private static final List<String> WATCHED = List.of("WEB-INF/web.xml", "META-INF/context.xml");

    /**
     * Of what is there now, if anything.
     *
     * @param own the application's own file in conf/Catalina; null if there can't be one
     * @param watched more files; relative ones are in a docBase that is a directory
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
