package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.files.SymbolicLinks;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.resource.ResourceMount;
import io.millrace.servlet.resource.ResourceMount.Kind;
import io.millrace.settings.SettingType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** The PreResources, JarResources and PostResources in Resources: files that are mounted into an application. */
final class ResourceSets {

    static final Set<String> NAMES = Set.of("PreResources", "JarResources", "PostResources");

    private static final String PACKAGE = "org.apache.catalina.webresources.";

    private static final Map<String, Kind> KINDS = Map.of(
            PACKAGE + "DirResourceSet", Kind.DIRECTORY,
            PACKAGE + "FileResourceSet", Kind.FILE,
            PACKAGE + "JarResourceSet", Kind.JAR);

    private static final SettingType<?> CLASS = SettingType.text(
            "DirResourceSet, FileResourceSet or JarResourceSet of the package "
                    + PACKAGE.substring(0, PACKAGE.length() - 1),
            KINDS::containsKey);

    private static final SettingType<?> PATH = SettingType.text(
            "a path that begins with a slash, without dot segments and without a slash at its end, or / itself",
            path -> ResourceMount.isPath(path.equals("/") ? "" : path));

    private static final List<AttributeRule> ATTRIBUTES = List.of(
            works("className", CLASS, null),
            works("base", TEXT, null),
            works("internalPath", PATH, "/"),
            works("webAppMount", PATH, "/"),
            works("classLoaderOnly", BOOLEAN, "false"),
            works("staticOnly", BOOLEAN, "false"),
            moot("readOnly"));

    private ResourceSets() {}

    /** Null for another element. */
    static @Nullable ElementRule of(ConfigElement element) {
        return NAMES.contains(element.name()) ? ElementRule.of(element.name(), ATTRIBUTES) : null;
    }

    /** Reports missing attributes and invalid combinations. */
    static void check(ConfigElement element, Problems problems) {
        if (element.value("className") == null || element.value("base") == null) {
            problems.error(element.line(), element.name() + " has no className or no base; expected both");
            return;
        }
        Values values = new Values(element, ElementRule.of(element.name(), ATTRIBUTES));
        if (KINDS.get(values.text("className", "")) == Kind.FILE
                && path(values, "webAppMount").isEmpty()) {
            problems.error(
                    values.line("webAppMount"),
                    element.name()
                            + " with a FileResourceSet needs a webAppMount: the path of the file in the application");
        }
        if (values.flag("classLoaderOnly") && values.flag("staticOnly")) {
            problems.error(
                    element.line(),
                    element.name()
                            + " is both classLoaderOnly and staticOnly, so its files would not be visible; remove one");
        }
    }

    /** Reads a Resources element without errors. */
    static ExtraResources in(@Nullable ConfigElement resources, Path base) {
        return resources == null
                ? ExtraResources.NONE
                : new ExtraResources(
                        mounts("PreResources", resources, base),
                        mounts("JarResources", resources, base),
                        mounts("PostResources", resources, base));
    }

    private static List<ResourceMount> mounts(String name, ConfigElement resources, Path base) {
        return resources.children(name).stream()
                .map(element -> mount(new Values(element, ElementRule.of(name, ATTRIBUTES)), base))
                .toList();
    }

    private static ResourceMount mount(Values values, Path base) {
        return new ResourceMount(
                KINDS.getOrDefault(values.text("className", ""), Kind.DIRECTORY),
                base.resolve(values.text("base", "")).toAbsolutePath().normalize(),
                path(values, "internalPath"),
                path(values, "webAppMount"),
                values.flag("classLoaderOnly"),
                values.flag("staticOnly"));
    }

    private static String path(Values values, String name) {
        String path = values.text(name, "/");
        return path.equals("/") ? "" : path;
    }

    /** Why they cannot be mounted; null if no reason is known. */
    static @Nullable String defect(ExtraResources extra, SymbolicLinks links, boolean rewrites) {
        for (ResourceMount mount : extra.all()) {
            String defect = defect(mount);
            if (defect != null) {
                return "its Resources name " + mount.base() + ": " + defect;
            }
        }
        try {
            if (rewrites && extra.have("/WEB-INF/rewrite.config", links)) {
                return "its Resources contain a WEB-INF/rewrite.config, which is read from the application itself only; put it"
                        + " there";
            }
            return null;
        } catch (IOException e) {
            return "its Resources cannot be read: " + e.getMessage();
        }
    }

    private static @Nullable String defect(ResourceMount mount) {
        Path inner = mount.base()
                .resolve(mount.internal().substring(Math.min(1, mount.internal().length())));
        return switch (mount.kind()) {
            case DIRECTORY ->
                Files.isDirectory(inner) && Files.isReadable(inner)
                        ? null
                        : "expected a directory"
                                + (mount.internal().isEmpty() ? "" : " with " + mount.internal() + " in it")
                                + " that this user may read";
            case FILE ->
                Files.isRegularFile(inner) && Files.isReadable(inner)
                        ? null
                        : "expected a file that this user may read";
            case JAR -> jarDefect(mount.base());
        };
    }

    private static @Nullable String jarDefect(Path jar) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.size() < 0 ? "expected a jar" : null;
        } catch (IOException e) {
            return "expected a jar that this user may read (" + e.getMessage() + ")";
        }
    }
}
