package io.millrace.standalone.config.context;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.files.CacheLimits;
import io.millrace.files.SymbolicLinks;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.resource.ResourceMount;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.IgnoredKind;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The Resources element, which limits the cache of an application's files, and the PreResources, JarResources and PostResources in
 * it: files that are mounted into the application.
 */
public final class ApplicationFiles {

    private static final SettingType<Integer> SIZE = number(0, Integer.MAX_VALUE);
    private static final SettingGroup CACHE = new SettingGroup();
    private static final Setting<Boolean> CACHING_ALLOWED = CACHE.add("cachingAllowed", BOOLEAN, true);
    private static final Setting<Integer> CACHE_MAX_SIZE = CACHE.optional("cacheMaxSize", SIZE);
    private static final Setting<Integer> CACHE_OBJECT_MAX_SIZE = CACHE.optional("cacheObjectMaxSize", SIZE);
    private static final Setting<Integer> CACHE_TTL = CACHE.optional("cacheTtl", SIZE);

    private static final String PACKAGE = "org.apache.catalina.webresources.";

    private static final Map<String, ResourceMount.Kind> MOUNTS = Map.of(
            PACKAGE + "DirResourceSet", ResourceMount.Kind.DIRECTORY,
            PACKAGE + "FileResourceSet", ResourceMount.Kind.FILE,
            PACKAGE + "JarResourceSet", ResourceMount.Kind.JAR);

    private static final SettingType<ResourceMount.Kind> CLASS = new SettingType<>(
            "DirResourceSet, FileResourceSet or JarResourceSet of the package "
                    + PACKAGE.substring(0, PACKAGE.length() - 1),
            MOUNTS::get);

    private static final SettingType<String> PATH = SettingType.text(
            "a path that begins with a slash, without dot segments and without a slash at its end, or / itself",
            path -> ResourceMount.isPath(path.equals("/") ? "" : path));

    private static final SettingGroup SETS = new SettingGroup();
    private static final Setting<ResourceMount.Kind> CLASS_NAME = SETS.optional("className", CLASS);
    private static final Setting<String> BASE = SETS.optional("base", TEXT);
    private static final Setting<String> INTERNAL_PATH = SETS.add("internalPath", PATH, "/");
    private static final Setting<String> WEB_APP_MOUNT = SETS.add("webAppMount", PATH, "/");
    private static final Setting<Boolean> CLASS_LOADER_ONLY = SETS.add("classLoaderOnly", BOOLEAN, false);
    private static final Setting<Boolean> STATIC_ONLY = SETS.add("staticOnly", BOOLEAN, false);

    /** Resources. */
    public static final Element.Kind RESOURCES = new Element.Kind(
            "Resources",
            Attribute.all(
                    Attribute.of(List.of(ContextOptions.ALLOW_LINKING)),
                    Attribute.of(CACHE.settings()),
                    List.of(Attribute.className(PACKAGE + "StandardRoot", PACKAGE + "ExtractingRoot")),
                    TomcatAttributes.of("Resources")),
            "PreResources",
            "JarResources",
            "PostResources",
            "CacheStrategy");

    private ApplicationFiles() {}

    static List<Element.Kind> kinds() {
        return List.of(
                RESOURCES,
                new ResourceSet("PreResources"),
                new ResourceSet("JarResources"),
                new ResourceSet("PostResources"),
                IgnoredKind.of("CacheStrategy", null));
    }

    private static final class ResourceSet extends Element.Kind {

        ResourceSet(String name) {
            super(
                    name,
                    Attribute.all(
                            Attribute.of(SETS.settings()),
                            TomcatAttributes.of("PreResources, JarResources, PostResources")));
        }

        /** Reports missing attributes and invalid combinations. */
        @Override
        public void check(Element set, String parent, Problems problems) {
            if (!set.isSet(CLASS_NAME) || !set.isSet(BASE)) {
                problems.error(set.line(), name() + " has no className or no base; expected both");
                return;
            }
            if (set.find(CLASS_NAME) == ResourceMount.Kind.FILE
                    && path(set, WEB_APP_MOUNT).isEmpty()) {
                problems.error(
                        set.line(WEB_APP_MOUNT),
                        name()
                                + " with a FileResourceSet needs a webAppMount: the path of the file in the application");
            }
            if (set.get(CLASS_LOADER_ONLY) && set.get(STATIC_ONLY)) {
                problems.error(
                        set.line(),
                        name()
                                + " is both classLoaderOnly and staticOnly, so its files would not be visible; remove one");
            }
        }
    }

    /** The limits of the cache; sizes are in KiB, as in Tomcat. */
    public static CacheLimits cache(Element resources) {
        CacheLimits usual = WebApplication.FILE_CACHE;
        if (!resources.get(CACHING_ALLOWED)) {
            return CacheLimits.NONE;
        }
        Integer all = resources.find(CACHE_MAX_SIZE);
        Integer one = resources.find(CACHE_OBJECT_MAX_SIZE);
        Integer fresh = resources.find(CACHE_TTL);
        return usual.withBytes(
                        all == null ? usual.bytes() : (long) all << 10,
                        one == null ? usual.fileBytes() : (long) one << 10)
                .withFreshness(fresh == null ? usual.freshness() : Duration.ofMillis(fresh));
    }

    /** The mounts of a Resources element without errors. */
    public static ExtraResources mounts(Element resources, Path base) {
        return new ExtraResources(
                mounts("PreResources", resources, base),
                mounts("JarResources", resources, base),
                mounts("PostResources", resources, base));
    }

    private static List<ResourceMount> mounts(String name, Element resources, Path base) {
        return resources.children(name).stream().map(set -> mount(set, base)).toList();
    }

    private static ResourceMount mount(Element set, Path base) {
        ResourceMount.Kind kind = set.find(CLASS_NAME);
        String own = set.find(BASE);
        return new ResourceMount(
                kind == null ? ResourceMount.Kind.DIRECTORY : kind,
                base.resolve(own == null ? "" : own).toAbsolutePath().normalize(),
                path(set, INTERNAL_PATH),
                path(set, WEB_APP_MOUNT),
                set.get(CLASS_LOADER_ONLY),
                set.get(STATIC_ONLY));
    }

    private static String path(Element set, Setting<String> setting) {
        String path = set.get(setting);
        return path.equals("/") ? "" : path;
    }

    /** Why they cannot be mounted; null if no reason is known. */
    public static @Nullable String defect(ExtraResources extra, SymbolicLinks links, boolean rewrites) {
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
