package io.millrace.servlet.deploy;

import io.millrace.servlet.model.ErrorPageModel;
import io.millrace.servlet.model.FilterMappingModel;
import io.millrace.servlet.model.JspPropertyGroupModel;
import io.millrace.servlet.model.LifecycleMethodModel;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one source says of the application: web.xml, a web-fragment.xml with the annotations of its jar, or the annotations
 * alone. {@link DescriptorMerge} makes one of them all.
 */
final class Descriptor {

    /** For messages: a path in the WAR. */
    final String source;
    /** Of the defaults that were laid under this one. */
    final List<String> defaultSources = new ArrayList<>();

    @Nullable
    String version;
    /** A fragment's name, by which others order themselves. */
    @Nullable
    String name;
    /** A fragment's place among the others. */
    final FragmentOrder order = new FragmentOrder();
    /** web.xml's list of fragments, with {@link FragmentOrder#OTHERS} among them; null: none. */
    @Nullable
    List<String> absoluteOrdering;

    boolean metadataComplete;
    boolean distributable;
    boolean denyUncoveredHttpMethods;

    @Nullable
    String displayName;

    @Nullable
    String defaultContextPath;

    @Nullable
    String requestCharacterEncoding;

    @Nullable
    String responseCharacterEncoding;

    final Map<String, String> contextParameters = new LinkedHashMap<>();
    final Map<String, ServletDeclaration> servlets = new LinkedHashMap<>();
    /** URL pattern to servlet name. */
    final Map<String, String> servletMappings = new LinkedHashMap<>();
    /** Servlets of which only the defaults know. */
    final Set<String> defaultServlets = new LinkedHashSet<>();
    /** URL patterns that only the defaults map. */
    final Set<String> defaultMappings = new LinkedHashSet<>();

    final Map<String, FilterDeclaration> filters = new LinkedHashMap<>();
    final List<FilterMappingModel> filterMappings = new ArrayList<>();
    final Set<String> listeners = new LinkedHashSet<>();
    final Set<String> welcomeFiles = new LinkedHashSet<>();
    /** By status or exception class; the empty key is the page for all. */
    final Map<String, ErrorPageModel> errorPages = new LinkedHashMap<>();

    final Map<String, String> mimeTypes = new LinkedHashMap<>();
    final Map<String, String> localeEncodings = new LinkedHashMap<>();
    /** By element name and name. */
    final Map<String, NamingEntryModel> namingEntries = new LinkedHashMap<>();

    final List<LifecycleMethodModel> postConstructMethods = new ArrayList<>();
    final List<LifecycleMethodModel> preDestroyMethods = new ArrayList<>();
    final Map<String, String> taglibs = new LinkedHashMap<>();
    final List<JspPropertyGroupModel> jspPropertyGroups = new ArrayList<>();
    final List<SecurityConstraintModel> securityConstraints = new ArrayList<>();
    final Set<String> securityRoles = new LinkedHashSet<>();

    @Nullable
    LoginConfigModel loginConfig;

    final SessionDeclaration session = new SessionDeclaration();

    Descriptor(String source) {
        this.source = source;
    }

    /** The servlet of this name, made if missing. */
    ServletDeclaration servlet(String servletName) {
        return servlets.computeIfAbsent(servletName, ServletDeclaration::new);
    }

    /** The filter of this name, made if missing. */
    FilterDeclaration filter(String filterName) {
        return filters.computeIfAbsent(filterName, FilterDeclaration::new);
    }

    /** All files that speak here, for messages. */
    String sources() {
        return defaultSources.isEmpty() ? source : source + " or " + String.join(" or ", defaultSources);
    }

    boolean mapsServlet(String servletName) {
        return servletMappings.containsValue(servletName);
    }

    boolean mapsFilter(String filterName) {
        return filterMappings.stream().anyMatch(mapping -> mapping.filterName().equals(filterName));
    }
}
