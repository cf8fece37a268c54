package io.millrace.servlet.deploy.xml;

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
 * The declarations of one source: web.xml, a web-fragment.xml with the annotations of its JAR, or annotations alone.
 * {@link DescriptorMerge} merges them.
 */
public final class Descriptor {

    /** The path in the WAR, for messages. */
    public final String source;
    /** The sources of the default descriptors that were merged into this one. */
    final List<String> defaultSources = new ArrayList<>();

    public @Nullable String version;
    /** A fragment's name, to which the ordering of others refers. */
    @Nullable
    String name;
    /** The ordering of a fragment. */
    final FragmentOrder order = new FragmentOrder();
    /** web.xml's list of fragments, which may include {@link FragmentOrder#OTHERS}; null for none. */
    public @Nullable List<String> absoluteOrdering;

    public boolean metadataComplete;
    public boolean distributable;
    public boolean denyUncoveredHttpMethods;
    /** A sentence for each ignored element whose name resembles a known one. */
    public final List<String> misspelt = new ArrayList<>();
    /** A sentence for each placeholder that has neither a value nor a default. */
    public final List<String> unsetPlaceholders = new ArrayList<>();
    /** A sentence for each declaration that does not mean what a reader may take it for. */
    public final List<String> notes = new ArrayList<>();

    public @Nullable String displayName;

    public @Nullable String defaultContextPath;

    public @Nullable String requestCharacterEncoding;

    public @Nullable String responseCharacterEncoding;

    public final Map<String, String> contextParameters = new LinkedHashMap<>();
    public final Map<String, ServletDeclaration> servlets = new LinkedHashMap<>();
    /** URL pattern to servlet name. */
    public final Map<String, String> servletMappings = new LinkedHashMap<>();
    /** Servlets that only the defaults declare. */
    public final Set<String> defaultServlets = new LinkedHashSet<>();
    /** URL patterns that only the defaults map. */
    public final Set<String> defaultMappings = new LinkedHashSet<>();

    public final Map<String, FilterDeclaration> filters = new LinkedHashMap<>();
    public final List<FilterMappingModel> filterMappings = new ArrayList<>();
    public final Set<String> listeners = new LinkedHashSet<>();
    public final Set<String> welcomeFiles = new LinkedHashSet<>();
    /** By status or exception class; the empty key is the default page. */
    public final Map<String, ErrorPageModel> errorPages = new LinkedHashMap<>();

    public final Map<String, String> mimeTypes = new LinkedHashMap<>();
    public final Map<String, String> localeEncodings = new LinkedHashMap<>();
    /** By element name and entry name. */
    public final Map<String, NamingEntryModel> namingEntries = new LinkedHashMap<>();

    public final List<LifecycleMethodModel> postConstructMethods = new ArrayList<>();
    public final List<LifecycleMethodModel> preDestroyMethods = new ArrayList<>();
    public final Map<String, String> taglibs = new LinkedHashMap<>();
    public final List<JspPropertyGroupModel> jspPropertyGroups = new ArrayList<>();
    public final List<SecurityConstraintModel> securityConstraints = new ArrayList<>();
    public final Set<String> securityRoles = new LinkedHashSet<>();

    public @Nullable LoginConfigModel loginConfig;

    public final SessionDeclaration session = new SessionDeclaration();

    public Descriptor(String source) {
        this.source = source;
    }

    /** The servlet of this name, created if missing. */
    public ServletDeclaration servlet(String servletName) {
        return servlets.computeIfAbsent(servletName, ServletDeclaration::new);
    }

    /** The filter of this name, created if missing. */
    public FilterDeclaration filter(String filterName) {
        return filters.computeIfAbsent(filterName, FilterDeclaration::new);
    }

    /** True for a fragment with an ordering. */
    public boolean isOrdered() {
        return !order.before.isEmpty() || !order.after.isEmpty();
    }

    /** The names of all sources, for messages. */
    public String sources() {
        return defaultSources.isEmpty() ? source : source + " or " + String.join(" or ", defaultSources);
    }

    boolean mapsFilter(String filterName) {
        return filterMappings.stream().anyMatch(mapping -> mapping.filterName().equals(filterName));
    }
}
