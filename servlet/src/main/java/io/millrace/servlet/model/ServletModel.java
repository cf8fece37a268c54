package io.millrace.servlet.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One servlet. It has a class, or a JSP, or it is one of the container's that web.xml only maps: "default" or "jsp".
 */
public final class ServletModel {

    public final String name;
    public @Nullable String className;
    public @Nullable String jspFile;
    public final Map<String, String> initParameters = new LinkedHashMap<>();
    /** URL patterns. */
    public final List<String> mappings = new ArrayList<>();
    /** Negative: when first used. */
    public int loadOnStartup = -1;

    /** Only the server's defaults know of it: the application may declare another of this name in code. */
    public boolean byDefault;

    public boolean asyncSupported;
    public boolean enabled = true;
    public @Nullable String runAs;
    public @Nullable MultipartModel multipart;
    /** security-role-ref: the servlet's name for a role, to the application's. */
    public final Map<String, String> roleReferences = new LinkedHashMap<>();

    public ServletModel(String name) {
        this.name = name;
    }
}
