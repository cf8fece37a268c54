package io.millrace.servlet.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A servlet as the descriptors and annotations declare it. It has a class name or a JSP file; one that has neither is the
 * container's own "default" or "jsp", which web.xml only maps. Not thread-safe.
 */
public final class ServletModel {

    public final String name;
    public @Nullable String className;
    public @Nullable String jspFile;
    public final Map<String, String> initParameters = new LinkedHashMap<>();
    /** URL patterns. */
    public final List<String> mappings = new ArrayList<>();
    /** load-on-startup: servlets are initialized in ascending order when the application starts; negative: at the first request. */
    public int loadOnStartup = -1;

    /** Declared only in the server's default descriptors: the application may register another servlet of this name in code. */
    public boolean byDefault;

    public boolean asyncSupported;
    public boolean enabled = true;
    public @Nullable String runAs;
    public @Nullable MultipartModel multipart;
    /** security-role-ref: from role names in the servlet's code to roles of the application. */
    public final Map<String, String> roleReferences = new LinkedHashMap<>();

    public ServletModel(String name) {
        this.name = name;
    }
}
