package io.millrace.servlet.model;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A filter as the descriptors and annotations declare it. Not thread-safe. */
public final class FilterModel {

    public final String name;
    public @Nullable String className;
    public final Map<String, String> initParameters = new LinkedHashMap<>();
    public boolean asyncSupported;

    public FilterModel(String name) {
        this.name = name;
    }
}
