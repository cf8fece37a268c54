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
 * Not thread-safe: the reader of descriptors and annotations fills it, an embedder may change it before the application
 * starts, and it is not changed after that.
 */
public final class WebAppModel {

    /** display-name; null if there is none. */
    public @Nullable String displayName;
    /** The version of web.xml, major and minor; "3.1" if there is no web.xml. */
    public String version = "3.1";

    public boolean metadataComplete;
    public boolean distributable;
    public boolean denyUncoveredHttpMethods;
    /** A sentence for each unknown element of a descriptor whose name resembles that of a known one; it was ignored. */
    public final List<String> misspelt = new ArrayList<>();
    /** A sentence for each placeholder of a descriptor that has neither a value nor a default. */
    public final List<String> unsetPlaceholders = new ArrayList<>();
    /** A sentence for each declaration that does not mean what a reader may take it for. */
    public final List<String> notes = new ArrayList<>();
    /** The names of the JARs in WEB-INF/lib in the order that web.xml or the fragments specify; null if none of them does. */
    public @Nullable List<String> orderedLibs;
    /** default-context-path (Servlet 4.0), used if the deployment sets no context path. */
    public @Nullable String defaultContextPath;
    /** request-character-encoding (Servlet 4.0). */
    public @Nullable String requestCharacterEncoding;
    /** response-character-encoding (Servlet 4.0). */
    public @Nullable String responseCharacterEncoding;

    public final Map<String, String> contextParameters = new LinkedHashMap<>();
    public final Map<String, ServletModel> servlets = new LinkedHashMap<>();
    /** URL patterns mapped only by the server's default descriptors: the application may map them to another servlet in code. */
    public final Set<String> defaultMappings = new LinkedHashSet<>();

    public final Map<String, FilterModel> filters = new LinkedHashMap<>();
    public final List<FilterMappingModel> filterMappings = new ArrayList<>();
    /** Class names, in the order in which the listeners are called. */
    public final List<String> listeners = new ArrayList<>();

    public final List<String> welcomeFiles = new ArrayList<>();
    public final List<ErrorPageModel> errorPages = new ArrayList<>();
    /** MIME types by extension, which is in lower case and without the dot: the container's defaults and the application's. */
    public final Map<String, String> mimeTypes = new LinkedHashMap<>();
    /** Character encodings by locale (locale-encoding-mapping-list). */
    public final Map<String, String> localeEncodings = new LinkedHashMap<>();

    /** Names below java:comp/env. */
    public final List<NamingEntryModel> namingEntries = new ArrayList<>();

    public final List<LifecycleMethodModel> postConstructMethods = new ArrayList<>();
    public final List<LifecycleMethodModel> preDestroyMethods = new ArrayList<>();

    /** Locations of tag libraries by URI. */
    public final Map<String, String> taglibs = new LinkedHashMap<>();

    public final List<JspPropertyGroupModel> jspPropertyGroups = new ArrayList<>();

    public final List<SecurityConstraintModel> securityConstraints = new ArrayList<>();
    public final List<String> securityRoles = new ArrayList<>();
    public @Nullable LoginConfigModel loginConfig;
    public final SessionConfigModel session = new SessionConfigModel();

    /** The servlet of this name, which is added if the application has none. */
    public ServletModel servlet(String name) {
        return servlets.computeIfAbsent(name, ServletModel::new);
    }

    /** The filter of this name, which is added if the application has none. */
    public FilterModel filter(String name) {
        return filters.computeIfAbsent(name, FilterModel::new);
    }
}
