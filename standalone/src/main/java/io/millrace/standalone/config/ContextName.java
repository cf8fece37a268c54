package io.millrace.standalone.config;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The context path and version of a file name, by Tomcat's rules: {@code shop.war} is {@code /shop}, {@code ROOT.war} the root,
 * {@code shop#admin.war} is {@code /shop/admin}, and the text after {@code ##} is the version.
 *
 * @param path {@code ""} for the root
 * @param version {@code ""} without one
 */
public record ContextName(String path, String version) {

    private static final String ROOT = "ROOT";
    private static final String WAR = ".war";

    /** Names that can be those of files; {@code #} would stand for a slash. */
    private static final Pattern PATH = Pattern.compile("/?|(?:/[^/\\\\#\\p{Cntrl}:*?\"<>|]+)+");

    private static final Pattern PART = Pattern.compile("[^/\\\\#\\p{Cntrl}:*?\"<>|]*");

    /** Parses the name of a file or directory, with or without its path. */
    public static ContextName ofFile(String file) {
        String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        if (name.toLowerCase(Locale.ROOT).endsWith(WAR)) {
            name = name.substring(0, name.length() - WAR.length());
        }
        int mark = name.indexOf("##");
        String version = mark < 0 ? "" : name.substring(mark + 2);
        String base = mark < 0 ? name : name.substring(0, mark);
        if (base.equals(ROOT) || base.isEmpty()) {
            return new ContextName("", version);
        }
        return new ContextName("/" + base.replace('#', '/'), version);
    }

    /**
     * The name that somebody has written.
     *
     * @param path {@code /} or empty for the root
     * @param version null or empty without one
     * @return null if it cannot be that of a file
     */
    public static @Nullable ContextName written(String path, @Nullable String version) {
        ContextName name = new ContextName(path.equals("/") ? "" : path, version == null ? "" : version);
        return name.canBeFile() ? name : null;
    }

    /** Whether a file can have this name. */
    public boolean canBeFile() {
        return PATH.matcher(path).matches() && isPart(version);
    }

    /** Whether it can be a part of a file name, such as a version. */
    public static boolean isPart(String text) {
        return PART.matcher(text).matches();
    }

    /** The unique file name without an extension: {@code ROOT}, {@code shop#admin}, {@code shop##2}. */
    public String fileName() {
        return baseName(path) + (version.isEmpty() ? "" : "##" + version);
    }

    /** As Tomcat names applications: {@code /} for the root, {@code /shop}, {@code /shop##2}. */
    public String marked() {
        return (path.isEmpty() ? "/" : path) + (version.isEmpty() ? "" : "##" + version);
    }

    /** For messages. */
    public String display() {
        return (path.isEmpty() ? "/" : path) + (version.isEmpty() ? "" : " version " + version);
    }

    /** The file name without extension and version: {@code ROOT}, {@code shop#admin}. */
    public static String baseName(String path) {
        return path.isEmpty() ? ROOT : path.substring(1).replace('/', '#');
    }
}
