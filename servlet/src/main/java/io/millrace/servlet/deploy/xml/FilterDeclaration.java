package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.FilterModel;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The declaration of a filter by one source (a descriptor or annotations). Null: not declared. */
public final class FilterDeclaration {

    public final String name;

    public @Nullable String className;

    public @Nullable Boolean asyncSupported;

    public final Map<String, String> initParameters = new LinkedHashMap<>();

    FilterDeclaration(String name) {
        this.name = name;
    }

    /** Adds what only the weaker source declares. */
    void complete(FilterDeclaration weaker) {
        className = Overlay.first(className, weaker.className);
        asyncSupported = Overlay.first(asyncSupported, weaker.asyncSupported);
        weaker.initParameters.forEach(initParameters::putIfAbsent);
    }

    /** What conflicts with a source of the same precedence, for a message; null if nothing does. */
    @Nullable
    String conflict(FilterDeclaration equal) {
        if (Overlay.differ(className, equal.className)) {
            return "filter-class";
        }
        if (Overlay.differ(asyncSupported, equal.asyncSupported)) {
            return "async-supported";
        }
        String parameter = Overlay.conflictingKey(initParameters, equal.initParameters);
        return parameter == null ? null : "init-param \"" + parameter + "\"";
    }

    public void fill(FilterModel model) {
        model.className = className;
        model.asyncSupported = Boolean.TRUE.equals(asyncSupported);
        model.initParameters.putAll(initParameters);
    }
}
