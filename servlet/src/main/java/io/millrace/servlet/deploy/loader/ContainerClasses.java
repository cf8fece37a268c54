package io.millrace.servlet.deploy.loader;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Determines which classes and resources belong to the JDK, to the APIs that the container provides, or to the container itself.
 */
public final class ContainerClasses {

    /** Not visible to applications, unless their options permit it: an application may have its own versions of these. */
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

    /** Loaded from the container first: objects passed between it and applications must have the same class on both sides. */
    private static final List<String> API = List.of(
            "javax.servlet.",
            "javax.el.",
            "javax.websocket.",
            "javax.security.auth.message.",
            // Compiled JSP pages extend Jasper's classes, which call each other: one loader must define all of them.
            "org.apache.jasper.",
            "org.apache.el.",
            "org.apache.juli.",
            "org.apache.tomcat.");

    /**
     * The container's classes that applications see: those for java: names, which the JDK loads by the application's class
     * loader, and those that servlets may use.
     */
    private static final List<String> SEEN = List.of(
            "io.millrace.servlet.naming.",
            "io.millrace.servlet.BodyPublisher",
            "io.millrace.servlet.BodySubscriber",
            "io.millrace.standalone.log.JsonFormatter",
            "io.millrace.standalone.log.LogFileHandler");

    private static final Set<String> JDK_PACKAGES = jdkPackages();

    private ContainerClasses() {}

    /** Whether the class's package is in the JDK; the class itself may not be. */
    public static boolean isJdk(String className) {
        int dot = className.lastIndexOf('.');
        return dot > 0 && JDK_PACKAGES.contains(className.substring(0, dot));
    }

    /** Whether the class belongs to an API that the container provides, which is loaded from the parent class loader first. */
    public static boolean isApi(String className) {
        return startsWithAny(className, API);
    }

    static boolean isHidden(String className) {
        return startsWithAny(className, HIDDEN) && !startsWithAny(className, SEEN);
    }

    /** True for resources in packages of these APIs, and for service files of their interfaces. */
    static boolean isApiResource(String resource) {
        return isApi(asClassName(resource));
    }

    /** True for resources in packages of the container, and for service files of its interfaces. */
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
