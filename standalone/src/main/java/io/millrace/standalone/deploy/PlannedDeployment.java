package io.millrace.standalone.deploy;

import io.millrace.standalone.config.ContextFiles;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.ContextReading;
import io.millrace.standalone.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * One web application to deploy.
 *
 * @param name its context path and version
 * @param docBase a WAR or a directory laid out as one
 * @param line of its Context element; 0 if it has none
 * @param context its Context elements
 * @param defect why it cannot be deployed; null if no reason is known
 * @param superseded whether its context path belongs to another deployment; the defect names it
 */
public record PlannedDeployment(
        ContextName name,
        Path docBase,
        int line,
        ContextReading context,
        @Nullable String defect,
        boolean superseded) {

    /** {@code ""} for the root. */
    public String contextPath() {
        return name.path();
    }

    /** A docBase without a host; its name determines the context path. */
    public static PlannedDeployment ofFile(Path docBase) {
        return at(ContextName.ofFile(docBase.toString()), docBase, withoutHost());
    }

    private static ContextFiles withoutHost() {
        return ContextFiles.inApplicationsAlone(Path.of("").toAbsolutePath());
    }

    /** A docBase in an appBase. */
    static PlannedDeployment ofFile(Path docBase, ContextFiles files) {
        return at(ContextName.ofFile(docBase.toString()), docBase, files);
    }

    /** A docBase with a context name of its own. */
    public static PlannedDeployment at(ContextName name, Path docBase, ContextFiles files) {
        ContextReading context = files.read(name.fileName(), docBase);
        String defect = Defects.of(docBase);
        return new PlannedDeployment(name, docBase, 0, context, defect == null ? context.defect() : defect, false);
    }

    static PlannedDeployment of(ServerConfig.Context context) {
        ContextReading reading = context.reading();
        String defect = Defects.of(context.docBase());
        return new PlannedDeployment(
                new ContextName(context.path(), ""),
                context.docBase(),
                context.element().line(),
                reading,
                defect == null ? reading.defect() : defect,
                false);
    }

    /** {@code app.war} or {@code app.war=/shop}; {@code =} and {@code =/} mean the root. */
    public static PlannedDeployment ofArgument(String argument) {
        int split = argument.lastIndexOf('=');
        if (split < 0 || Path.of(argument).toFile().exists()) {
            return ofFile(Path.of(argument));
        }
        String path = argument.substring(split + 1);
        String slashed = path.startsWith("/") ? path : "/" + path;
        while (slashed.endsWith("/")) {
            slashed = slashed.substring(0, slashed.length() - 1);
        }
        return at(new ContextName(slashed, ""), Path.of(argument.substring(0, split)), withoutHost());
    }

    /** @param owner to which its context path belongs */
    PlannedDeployment supersededBy(String owner) {
        return new PlannedDeployment(name, docBase, line, context, "its context path belongs to " + owner, true);
    }

    /** Finds WARs that cannot be read. */
    private static final class Defects {

        private Defects() {}

        static @Nullable String of(Path docBase) {
            if (!Files.exists(docBase)) {
                return "there is no such file or directory";
            }
            if (!Files.isReadable(docBase)) {
                return "this user may not read it";
            }
            return Files.isDirectory(docBase) ? null : ofArchive(docBase);
        }

        private static @Nullable String ofArchive(Path war) {
            try (ZipFile zip = new ZipFile(war.toFile())) {
                return zip.size() > 0 ? null : "it is an empty archive";
            } catch (IOException e) {
                return "it is not a WAR that can be read (" + e.getMessage() + ")";
            }
        }
    }
}
