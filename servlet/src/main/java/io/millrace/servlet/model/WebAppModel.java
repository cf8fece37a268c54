package io.millrace.servlet.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A web application's deployment descriptor after web.xml, fragments and annotations were merged (Servlet 3.1, 8 and 14).
 * Filled by the readers of descriptors and annotations, then read by the container; not changed after that.
 */
public final class WebAppModel {

    /** display-name, if given. */
    public @Nullable String displayName;
    /** major and minor version of web.xml, "3.1" if there is none. */
    public String version = "3.1";

    public boolean metadataComplete;
    public boolean distributable;
    public boolean denyUncoveredHttpMethods;
    /** A sentence for each element of a descriptor that was ignored and has nearly the name of another one. */
    public final List<String> misspelt = new ArrayList<>();
    /** default-context-path (Servlet 4.0): for a deployment that was given none. */
    public @Nullable String defaultContextPath;
    /** request-character-encoding (Servlet 4.0). */
    public @Nullable String requestCharacterEncoding;
    /** response-character-encoding (Servlet 4.0). */
    public @Nullable String responseCharacterEncoding;

    public final Map<String, String> contextParameters = new LinkedHashMap<>();
    public final Map<String, ServletModel> servlets = new LinkedHashMap<>();
    /** URL patterns that only the server's defaults map: the application may claim them in code. */
    public final Set<String> defaultMappings = new LinkedHashSet<>();

    public final Map<String, FilterModel> filters = new LinkedHashMap<>();
    public final List<FilterMappingModel> filterMappings = new ArrayList<>();
    /** Class names, in order. */
    public final List<String> listeners = new ArrayList<>();

    public final List<String> welcomeFiles = new ArrayList<>();
    public final List<ErrorPageModel> errorPages = new ArrayList<>();
    /** By extension without the dot, in lower case; the application's own and the container's defaults. */
    public final Map<String, String> mimeTypes = new LinkedHashMap<>();
    /** Locale to character encoding. */
    public final Map<String, String> localeEncodings = new LinkedHashMap<>();

    /** Names below java:comp/env. */
    public final List<NamingEntryModel> namingEntries = new ArrayList<>();

    public final List<LifecycleMethodModel> postConstructMethods = new ArrayList<>();
    public final List<LifecycleMethodModel> preDestroyMethods = new ArrayList<>();

    /** Tag library URI to location. */
    public final Map<String, String> taglibs = new LinkedHashMap<>();

    public final List<JspPropertyGroupModel> jspPropertyGroups = new ArrayList<>();

    public final List<SecurityConstraintModel> securityConstraints = new ArrayList<>();
    public final List<String> securityRoles = new ArrayList<>();
    public @Nullable LoginConfigModel loginConfig;
    public final SessionConfigModel session = new SessionConfigModel();

    /** The servlet of this name, made if missing. */
    public ServletModel servlet(String name) {
        return servlets.computeIfAbsent(name, ServletModel::new);
    }

    /** The filter of this name, made if missing. */
    public FilterModel filter(String name) {
        return filters.computeIfAbsent(name, FilterModel::new);
    }
}
