package io.millrace.standalone.config;

import io.millrace.files.CacheLimits;
import io.millrace.servlet.deploy.JarFilter;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.context.ApplicationFiles;
import io.millrace.standalone.config.context.ContextKinds;
import io.millrace.standalone.config.context.JarScanners;
import io.millrace.standalone.config.context.SessionKinds;
import io.millrace.standalone.config.resource.ResourceKinds;
import io.millrace.standalone.config.resource.TomcatFactories;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.ElementReader;
import io.millrace.standalone.config.valve.AccessLogValve;
import io.millrace.standalone.config.valve.Authenticator;
import io.millrace.standalone.config.valve.HandlerValve;
import io.millrace.standalone.config.valve.HealthCheckValve;
import io.millrace.standalone.config.valve.RewriteValve;
import io.millrace.standalone.config.valve.SessionValve;
import io.millrace.standalone.config.valve.ValveKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The combined Context elements of one application: the defaults in conf/context.xml, those of its host, and its own, which is
 * in conf/Catalina, else in the application, or in server.xml. Later elements take precedence.
 */
public final class ContextSettings {

    /** For the defaults. */
    private static final Element NO_CONTEXT = ElementReader.absent(ContextKinds.CONTEXT);

    private final List<Element> layers;
    private final List<Element> global;

    private ContextSettings(List<Element> layers, List<Element> global) {
        this.layers = layers;
        this.global = global;
    }

    /**
     * Combines the elements of several files.
     *
     * @param weakestFirst an element with {@code override="true"} hides those before it
     * @param global the Resource and Environment elements of GlobalNamingResources
     */
    static ContextSettings of(List<Element> weakestFirst, List<Element> global) {
        int from = 0;
        for (int i = 0; i < weakestFirst.size(); i++) {
            if (weakestFirst.get(i).get(ContextKinds.OVERRIDE)) {
                from = i;
            }
        }
        return new ContextSettings(List.copyOf(weakestFirst.subList(from, weakestFirst.size())), global);
    }

    /** An attribute of Context, or its default; null if there is neither. */
    public <T> @Nullable T find(Setting<T> setting) {
        return saying(setting).find(setting);
    }

    /** The strongest element that has an attribute; one with defaults if there is none. */
    private Element saying(Setting<?> setting) {
        for (int i = layers.size() - 1; i >= 0; i--) {
            if (layers.get(i).isSet(setting)) {
                return layers.get(i);
            }
        }
        return NO_CONTEXT;
    }

    /** Applies the attributes of Context that are among the declared settings. */
    public Settings settings(List<Setting<?>> declared, Settings base) {
        Settings settings = base;
        for (Setting<?> setting : declared) {
            settings = with(setting, settings);
        }
        return settings;
    }

    private <T> Settings with(Setting<T> setting, Settings settings) {
        Settings said = saying(setting).settings();
        return said.isSet(setting) ? settings.with(setting, said.get(setting)) : settings;
    }

    /** The {@link ContextOptions} of Context and the elements in it. */
    public Settings options() {
        Settings settings = settings(ContextOptions.ofContext(), Settings.DEFAULTS);
        for (Element.Kind kind :
                List.of(ContextKinds.COOKIE_PROCESSOR, ContextKinds.LOADER, ApplicationFiles.RESOURCES)) {
            settings = settings.overriddenBy(element(kind).settings());
        }
        return settings;
    }

    /** The Manager element. */
    public Element manager() {
        return element(SessionKinds.MANAGER_KIND);
    }

    /** The Store in the Manager; null if there is none. */
    public @Nullable Element store() {
        return inManager("Store");
    }

    /** Whether the Store is a database table, not a directory. */
    public boolean isStoredInDatabase() {
        Element store = store();
        return SessionKinds.isPersistent(manager()) && store != null && store.kind() instanceof SessionKinds.JdbcStore;
    }

    /** The attributes of a Resource of GlobalNamingResources; null if there is none of that name. */
    public @Nullable Map<String, String> globalResource(String name) {
        Map<String, Map<String, String>> found = new LinkedHashMap<>();
        global.stream()
                .filter(resource -> resource.name().equals("Resource"))
                .forEach(resource -> put(resource.written("name"), resource, found));
        return found.get(name);
    }

    /** Whether the application may have servlets of the container, which administer the server. */
    public boolean isPrivileged() {
        return Boolean.TRUE.equals(find(ContextKinds.PRIVILEGED));
    }

    /** Whether changed classes restart the application. */
    public boolean isReloadable() {
        return Boolean.TRUE.equals(find(ContextKinds.RELOADABLE));
    }

    /** The types of the resources in GlobalNamingResources by name, sorted. */
    public Map<String, String> globalTypes() {
        Map<String, String> types = new TreeMap<>();
        for (Element resource : global) {
            String name = resource.written("name");
            if (name != null) {
                types.put(name, String.valueOf(resource.written("type")));
            }
        }
        return types;
    }

    /** The SessionIdGenerator in the Manager; null if there is none. */
    public @Nullable Element sessionIdGenerator() {
        return inManager("SessionIdGenerator");
    }

    private @Nullable Element inManager(String name) {
        Element manager = last("Manager");
        List<Element> found = manager == null ? List.of() : manager.children(name);
        return found.isEmpty() ? null : found.get(0);
    }

    /** The authenticator; null if there is none. */
    public @Nullable Element authenticator() {
        return ValveKind.last(Authenticator.class, valves(Authenticator.class));
    }

    /** The Valves that requests pass, in the order in which they process them, as in Tomcat. */
    public List<Element> valves() {
        return valves(HandlerValve.class, RewriteValve.class);
    }

    /** The Rules elements, in the order in which they process requests, after the Valves. */
    public List<Element> rules() {
        return layers.stream()
                .flatMap(layer -> layer.children(RulesKind.NAME).stream())
                .toList();
    }

    /** The enabled access logs. */
    public List<Element> accessLogs() {
        return layers.stream().flatMap(AccessLogValve::enabled).toList();
    }

    /** The Valves that configure sessions, in their order. */
    public List<Element> sessionValves() {
        return valves(SessionValve.class);
    }

    /** The application's health check; null if there is none. */
    public @Nullable Element health() {
        return ValveKind.last(HealthCheckValve.class, valves(HealthCheckValve.class));
    }

    @SafeVarargs
    private List<Element> valves(Class<? extends ValveKind>... kinds) {
        return layers.stream()
                .flatMap(layer -> ValveKind.in(layer, kinds).stream())
                .toList();
    }

    /** The limits of the cache of the application's files. */
    public CacheLimits fileCache() {
        return ApplicationFiles.cache(element(ApplicationFiles.RESOURCES));
    }

    /** The libraries to scan. */
    public JarFilter jarFilter() {
        return JarScanners.in(last("JarScanner"));
    }

    /** Files from elsewhere that appear among those of the application. */
    public ExtraResources extraResources(Path base) {
        return ApplicationFiles.mounts(element(ApplicationFiles.RESOURCES), base);
    }

    /** Why they cannot be mounted; null if no reason is known. */
    public @Nullable String extraResourcesDefect(Path base) {
        boolean rewrites = valves().stream().anyMatch(valve -> valve.kind() instanceof RewriteValve);
        return ApplicationFiles.defect(extraResources(base), options().get(ContextOptions.ALLOW_LINKING), rewrites);
    }

    /** The Parameter elements that have a name, the last of each name. */
    public List<Element> parameters() {
        return named("Parameter");
    }

    /** The Environment elements that have a name, the last of each name. */
    public List<Element> environments() {
        return named("Environment");
    }

    /** Files whose change redeploys the application; relative to its docBase, or absolute. */
    public List<String> watchedResources() {
        return layers.stream()
                .flatMap(layer -> layer.children("WatchedResource").stream())
                .map(Element::text)
                .filter(text -> !text.isEmpty())
                .distinct()
                .toList();
    }

    /** The attributes of Resource elements by name, the last of each name. */
    public Map<String, Map<String, String>> resources() {
        Map<String, Map<String, String>> found = new LinkedHashMap<>();
        for (Element layer : layers) {
            layer.children("Resource").forEach(resource -> put(resource.written("name"), resource, found));
        }
        return found;
    }

    /** The attributes of the last Transaction that has a factory; null if there is none. */
    public @Nullable Map<String, String> transaction() {
        Map<String, Map<String, String>> found = new LinkedHashMap<>();
        for (Element layer : layers) {
            layer.children("Transaction").stream()
                    .filter(transaction -> transaction.written("factory") != null)
                    .forEach(transaction -> put("Transaction", transaction, found));
        }
        return found.get("Transaction");
    }

    /** By the names of ResourceLink elements, the attributes of the Resource that each refers to. */
    public Map<String, Map<String, String>> linkedResources() {
        Map<String, Map<String, String>> found = new LinkedHashMap<>();
        forEachLink("Resource", (name, resource) -> put(name, resource, found));
        return found;
    }

    /** By the names of ResourceLink elements, the Environment that each refers to. */
    public Map<String, Element> linkedEnvironments() {
        Map<String, Element> found = new LinkedHashMap<>();
        forEachLink("Environment", found::put);
        return found;
    }

    private void forEachLink(String kind, BiConsumer<String, Element> action) {
        for (Element layer : layers) {
            for (Element link : layer.children("ResourceLink")) {
                String name = link.written("name");
                Element target = target(link, global);
                if (name != null && target != null && target.name().equals(kind)) {
                    action.accept(name, target);
                }
            }
        }
    }

    /** Whether a ResourceLink asks for connections of another user than those of its pool. */
    static boolean isOfAnotherUser(Element link) {
        return TomcatFactories.DATA_SOURCE_LINK.equals(link.written("factory")) && link.written("username") != null;
    }

    /** The target of a ResourceLink; null if it does not exist, or would have the rights of another user. */
    static @Nullable Element target(Element link, List<Element> global) {
        if (isOfAnotherUser(link)) {
            return null;
        }
        String name = link.written("global");
        return global.stream()
                .filter(resource -> String.valueOf(resource.written("name")).equals(name))
                .findFirst()
                .orElse(null);
    }

    private static void put(@Nullable String name, Element resource, Map<String, Map<String, String>> to) {
        if (name != null) {
            Map<String, String> attributes = new LinkedHashMap<>();
            resource.written().forEach(attribute -> attributes.put(attribute.name(), attribute.value()));
            to.put(name, attributes);
        }
    }

    private List<Element> named(String name) {
        Map<String, Element> byName = new LinkedHashMap<>();
        for (Element layer : layers) {
            for (Element child : layer.children(name)) {
                String own = child.find(ResourceKinds.NAME);
                if (own != null) {
                    byName.put(own, child);
                }
            }
        }
        return new ArrayList<>(byName.values());
    }

    /** The last element of a kind; one with defaults if there is none. */
    private Element element(Element.Kind kind) {
        Element found = last(kind.name());
        return found == null ? ElementReader.absent(kind) : found;
    }

    private @Nullable Element last(String name) {
        Element found = null;
        for (Element layer : layers) {
            List<Element> children = layer.children(name);
            found = children.isEmpty() ? found : children.get(children.size() - 1);
        }
        return found;
    }
}
