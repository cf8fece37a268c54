package io.millrace.standalone.config;

import java.util.Locale;

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

    /** The unique file name without an extension: {@code ROOT}, {@code shop#admin}, {@code shop##2}. */
    public String fileName() {
        return baseName(path) + (version.isEmpty() ? "" : "##" + version);
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
