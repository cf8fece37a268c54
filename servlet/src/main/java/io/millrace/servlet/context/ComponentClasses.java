package io.millrace.servlet.context;

import io.millrace.servlet.model.FilterModel;
import io.millrace.servlet.model.ServletModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.settings.ContainerServlets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the classes of filters and listeners in descriptors, without which an application does not start. */
public final class ComponentClasses {

    private static final String TOMCATS = "org.apache.catalina.";

    private ComponentClasses() {}

    /** One sentence for each that is missing or can't be initialized. Loads no class of the application. */
    public static List<String> defects(WebAppModel model, ClassLoader loader) {
        List<String> defects = new ArrayList<>();
        for (FilterModel filter : model.filters.values()) {
            boolean mapped = model.filterMappings.stream()
                    .anyMatch(mapping -> mapping.filterName().equals(filter.name));
            if (mapped && isMissing(filter.className, loader)) {
                String defect = isReplaced(filter.className, loader)
                        ? TomcatClasses.defect(filter)
                        : ofFilter(filter.name, filter.className);
                if (defect != null) {
                    defects.add(defect);
                }
            }
        }
        for (String listener : model.listeners) {
            if (isMissing(listener, loader)) {
                defects.add(ofListener(listener));
            }
        }
        return defects;
    }

    /** Whether Millrace's replacement is used, because the application has no class of this name. */
    static boolean isReplaced(@Nullable String className, ClassLoader loader) {
        return className != null && TomcatClasses.STAND_INS.containsKey(className) && isMissing(className, loader);
    }

    static boolean isMissing(@Nullable String className, ClassLoader loader) {
        return className != null && loader.getResource(className.replace('.', '/') + ".class") == null;
    }

    static String ofFilter(String name, @Nullable String className) {
        return sentence("filter \"" + name + "\"", String.valueOf(className), "requests would pass unfiltered");
    }

    static String ofListener(String className) {
        return sentence("a listener", className, "what it sets up would be missing");
    }

    /** One sentence for each mapped servlet that only Tomcat has: requests for it get status 501. */
    public static List<String> absentServlets(WebAppModel model, ClassLoader loader, ContainerServlets container) {
        List<String> absent = new ArrayList<>();
        for (ServletModel servlet : model.servlets.values()) {
            String advice = TomcatClasses.advice(servlet.className);
            if (advice != null
                    && !servlet.mappings.isEmpty()
                    && !container.classes().containsKey(servlet.className)
                    && isMissing(servlet.className, loader)) {
                absent.add("servlet \"" + servlet.name + "\" is of class " + servlet.className
                        + ", a part of Tomcat that Millrace does not have, so requests for " + servlet.mappings
                        + " get status 501: " + advice);
            }
        }
        return absent;
    }

    /** One sentence for each servlet of the container that the application may not have: it does not start. */
    public static List<String> forbidden(WebAppModel model, ClassLoader loader, ContainerServlets container) {
        List<String> forbidden = new ArrayList<>();
        for (ServletModel servlet : model.servlets.values()) {
            if (!container.permitted()
                    && servlet.className != null
                    && container.classes().containsKey(servlet.className)
                    && isMissing(servlet.className, loader)) {
                forbidden.add("servlet \"" + servlet.name + "\" is of class " + servlet.className
                        + ", which administers the server; the application does not start unless its Context has"
                        + " privileged=\"true\"");
            }
        }
        return forbidden;
    }

    /** Returns those of the classes that a loader does not have. */
    public static Set<String> absent(Set<String> classes, ClassLoader loader) {
        return classes.stream().filter(name -> isMissing(name, loader)).collect(Collectors.toUnmodifiableSet());
    }

    private static String sentence(String what, String className, String consequence) {
        boolean isTomcatClass = className.startsWith(TOMCATS);
        String advice = TomcatClasses.advice(className);
        return what + " is of class " + className + ", "
                + (isTomcatClass
                        ? "a part of Tomcat that Millrace does not have"
                        : "which is neither in WEB-INF/classes nor in WEB-INF/lib")
                + "; without it " + consequence + ", so the application does not start: "
                + (advice != null ? advice : isTomcatClass ? "add an equivalent to WEB-INF/lib" : "add the class")
                + ", or remove it from the descriptor";
    }
}
