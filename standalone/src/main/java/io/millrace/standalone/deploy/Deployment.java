package io.millrace.standalone.deploy;

import io.millrace.standalone.config.ServerConfig;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One web application to deploy.
 *
 * @param contextPath {@code ""} for the root
 * @param docBase a WAR or a directory laid out as one
 * @param line of its Context element; 0 if it has none
 * @param parameters context parameters from outside the application
 * @param defect why it can't be deployed; null if nothing is known to be wrong
 */
public record Deployment(
        String contextPath,
        Path docBase,
        int line,
        Map<String, String> parameters,
        @Nullable String defect) {

    /** What a docBase on its own means: the context path comes from its name. */
    public static Deployment ofFile(Path docBase) {
        return at(ContextName.ofFile(docBase.toString()).path(), docBase);
    }

    static Deployment at(String contextPath, Path docBase) {
        return new Deployment(contextPath, docBase, 0, Map.of(), Defects.of(docBase));
    }

    static Deployment of(ServerConfig.Context context) {
        return new Deployment(
                context.path(),
                context.docBase(),
                context.values().line(),
                context.parameters(),
                Defects.of(context.docBase()));
    }

    /** {@code app.war} or {@code app.war=/shop}; {@code =} and {@code =/} mean the root. */
    public static Deployment ofArgument(String argument) {
        int split = argument.lastIndexOf('=');
        if (split < 0 || Path.of(argument).toFile().exists()) {
            return ofFile(Path.of(argument));
        }
        String path = argument.substring(split + 1);
        String slashed = path.startsWith("/") ? path : "/" + path;
        while (slashed.endsWith("/")) {
            slashed = slashed.substring(0, slashed.length() - 1);
        }
        return at(slashed, Path.of(argument.substring(0, split)));
    }

    Deployment withDefect(String found) {
        return new Deployment(contextPath, docBase, line, parameters, found);
    }
}
