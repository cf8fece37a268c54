package io.millrace.servlet.context;

import io.millrace.servlet.inject.TomcatClasses;
import io.millrace.servlet.model.FilterModel;
import io.millrace.servlet.model.WebAppModel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The classes of filters and listeners that descriptors name, without which an application does not start. */
public final class ComponentClasses {

    private static final String TOMCATS = "org.apache.catalina.";

    private ComponentClasses() {}

    /** Those that are nowhere, one sentence for each. No class is loaded. */
    public static List<String> missing(WebAppModel model, ClassLoader loader) {
        List<String> missing = new ArrayList<>();
        for (FilterModel filter : model.filters.values()) {
            boolean mapped = model.filterMappings.stream()
                    .anyMatch(mapping -> mapping.filterName().equals(filter.name));
            if (mapped && isMissing(filter.className, loader)) {
                missing.add(ofFilter(filter.name, filter.className));
            }
        }
        for (String listener : model.listeners) {
            if (isMissing(listener, loader)) {
                missing.add(ofListener(listener));
            }
        }
        return missing;
    }

    private static boolean isMissing(@Nullable String className, ClassLoader loader) {
        return className != null
                && TomcatClasses.standIn(className) == null
                && loader.getResource(className.replace('.', '/') + ".class") == null;
    }

    static String ofFilter(String name, @Nullable String className) {
        return sentence("filter \"" + name + "\"", String.valueOf(className), "requests would pass unfiltered");
    }

    static String ofListener(String className) {
        return sentence("a listener", className, "what it sets up would be missing");
    }

    private static String sentence(String what, String className, String consequence) {
        boolean tomcats = className.startsWith(TOMCATS);
        return what + " is of class " + className + ", "
                + (tomcats
                        ? "a part of Tomcat that Millrace does not have"
                        : "which is neither in WEB-INF/classes nor in WEB-INF/lib")
                + "; without it " + consequence + ", so the application does not start: "
                + (tomcats ? "put one that does the same into WEB-INF/lib" : "add the class")
                + ", or remove it from the descriptor";
    }
}
