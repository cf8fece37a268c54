package io.millrace.servlet.deploy.loader;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which names belong to the JDK, to the Servlet API, or to the container itself. */
public final class ContainerClasses {

    /** Never looked up in the parent for an application: it may bring its own versions of these libraries. */
    private static final List<String> HIDDEN = List.of(
            "io.millrace.",
            "org.xnio.",
            "org.jboss.logging.",
            "org.jboss.logmanager.",
            "org.jboss.threads.",
            "org.jboss.jandex.",
            "org.wildfly.common.",
            "org.wildfly.client.config.",
            "org.jspecify.",
            "org.eclipse.jdt.");

    /** The container's where it has them: an object that crosses the border must be of one class on both sides. */
    private static final List<String> API = List.of(
            "javax.servlet.",
            "javax.el.",
            "javax.websocket.",
            "javax.security.auth.message.",
            // Compiled JSP pages extend Jasper's classes, which call each other: all of one origin, as on Tomcat.
            "org.apache.jasper.",
            "org.apache.el.",
            "org.apache.juli.",
            "org.apache.tomcat.");

    /**
     * The container's own that applications see: the JDK makes their java: names by their loader, and so needs whoever answers
     * these; and what is meant for servlets.
     */
    private static final List<String> SEEN = List.of(
            "io.millrace.servlet.naming.", "io.millrace.servlet.BodyPublisher", "io.millrace.servlet.BodySubscriber");

    private static final Set<String> JDK_PACKAGES = jdkPackages();

    private ContainerClasses() {}

    /** True if the class may be in the JDK: its package is. */
    public static boolean isJdk(String className) {
        int dot = className.lastIndexOf('.');
        return dot > 0 && JDK_PACKAGES.contains(className.substring(0, dot));
    }

    public static boolean isApi(String className) {
        return startsWithAny(className, API);
    }

    static boolean isHidden(String className) {
        return startsWithAny(className, HIDDEN) && !startsWithAny(className, SEEN);
    }

    /** True for the API's files and for service files that name an API's interface. */
    static boolean isApiResource(String resource) {
        return isApi(asClassName(resource));
    }

    /** True for the container's files and for service files of its interfaces. */
    static boolean isHiddenResource(String resource) {
        return isHidden(asClassName(resource));
    }

    private static String asClassName(String resource) {
        String services = "META-INF/services/";
        return resource.startsWith(services) ? resource.substring(services.length()) : resource.replace('/', '.');
    }

    private static boolean startsWithAny(String name, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static Set<String> jdkPackages() {
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        Set<String> packages = new HashSet<>();
        for (Module module : ModuleLayer.boot().modules()) {
            ClassLoader loader = module.getClassLoader();
            if (loader == null || loader.equals(platform)) {
                packages.addAll(module.getPackages());
            }
        }
        return Set.copyOf(packages);
    }
}
