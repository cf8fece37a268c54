package io.millrace.standalone;

import io.millrace.rewrite.RewriteFiles;
import io.millrace.rewrite.RewriteRules;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.valve.RewriteValve;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files of a host's applications, for rewrite rules that run before a request is routed to one. A path belongs to the
 * application with the longest matching context path. WARs are looked up where they are unpacked, in the work directory.
 */
final class HostFiles implements RewriteFiles {

    private final Path appBase;
    private final Path work;
    private final Map<String, Path> named = new HashMap<>();

    private HostFiles(ServerConfig.Host host, Path work) {
        this.appBase = host.appBase();
        this.work = work;
        host.contexts().forEach(context -> named.put(context.path(), context.docBase()));
    }

    /**
     * Reads the rewrite rules of a host.
     *
     * @return null without any, or if the Valve is switched off
     * @throws OperatorException if they cannot be read
     */
    static @Nullable RewriteRules rules(Element valve, ServerConfig.Host host, BaseDirectory base)
            throws OperatorException {
        Path file = host.contextFiles().ofHost(valve.get(RewriteValve.RESOURCE_PATH));
        RewriteRules rules = RewriteValve.ofHost(valve, file, base.classes().server());
        return rules == null
                ? null
                : rules.withFiles(new HostFiles(host, base.work().resolve(host.name())));
    }

    @Override
    public @Nullable Path find(String path) {
        Path whole = Path.of(path).normalize();
        if (whole.startsWith(appBase) || whole.startsWith(work)) {
            return whole;
        }
        String context = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        while (true) {
            Path files = directory(context);
            if (files != null) {
                return RewriteFiles.below(files).find(path.substring(context.length()));
            }
            int slash = context.lastIndexOf('/');
            if (slash < 0) {
                return null;
            }
            context = context.substring(0, slash);
        }
    }

    /** Null if no application has this context path. */
    private @Nullable Path directory(String contextPath) {
        if (!contextPath.isEmpty() && !contextPath.startsWith("/")) {
            return null;
        }
        Path docBase = named.get(contextPath);
        if (docBase != null && Files.isDirectory(docBase)) {
            return docBase;
        }
        String name = ContextName.baseName(contextPath);
        Path unpacked = work.resolve(name).resolve("webapp");
        if (Files.isDirectory(unpacked)) {
            return unpacked;
        }
        Path exploded = appBase.resolve(name);
        return Files.isDirectory(exploded) ? exploded : null;
    }
}
