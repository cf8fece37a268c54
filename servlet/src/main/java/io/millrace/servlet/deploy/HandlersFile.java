package io.millrace.servlet.deploy;

import io.millrace.servlet.deploy.scan.Libraries;
import io.millrace.servlet.model.DeploymentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A file with rules in an application that was written for Undertow. They are where WildFly looks for them, in its order: one in WEB-INF,
 * then one in META-INF of WEB-INF/classes and of each JAR of WEB-INF/lib. Those that cannot be read are an error: ignored, they would
 * protect nothing.
 *
 * @param name its path in the application, with {@code !/} between a JAR and what is in it
 * @param text its contents
 */
public record HandlersFile(String name, String text) {

    private static final String FILE = "undertow-handlers.conf";
    private static final String IN_CLASS_PATH = "META-INF/" + FILE;

    /**
     * The file outside of the class path.
     *
     * @param own the directory with the merged WEB-INF
     * @throws DeploymentException if it cannot be read
     */
    static List<HandlersFile> inFiles(Path docBase, Path own) throws DeploymentException {
        List<HandlersFile> files = new ArrayList<>();
        for (Path root : own.equals(docBase) ? List.of(docBase) : List.of(own, docBase)) {
            if (files.isEmpty()) {
                addIfPresent(root, "WEB-INF/" + FILE, files);
            }
        }
        return files;
    }

    /**
     * All files of an application with classes and JARs. Neither a metadata-complete descriptor nor an absolute ordering excludes any.
     *
     * @param own the directory with the merged WEB-INF
     * @throws DeploymentException if one cannot be read
     */
    static List<HandlersFile> in(Path docBase, Path own, Libraries libraries) throws DeploymentException {
        List<HandlersFile> files = inFiles(docBase, own);
        addIfPresent(own, "WEB-INF/classes/" + IN_CLASS_PATH, files);
        for (Map.Entry<String, Libraries.Entry> entry :
                libraries.entries(IN_CLASS_PATH).entrySet()) {
            files.add(read(entry.getKey(), entry.getValue()));
        }
        return files;
    }

    private static void addIfPresent(Path root, String name, List<HandlersFile> files) throws DeploymentException {
        Path file = root.resolve(name);
        if (!Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
            files.add(read(name, () -> Files.readAllBytes(file)));
        }
    }

    private static HandlersFile read(String name, Libraries.Entry contents) throws DeploymentException {
        try {
            // Strictly, as a rule whose path has characters replaced would select nothing.
            ByteBuffer bytes = ByteBuffer.wrap(contents.bytes());
            return new HandlersFile(
                    name, StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
        } catch (IOException e) {
            throw new DeploymentException(name + " cannot be read (" + e + ")");
        }
    }
}
