package io.millrace.standalone.config;

import io.millrace.servlet.deploy.JarFilter;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The combined Context elements of one application: the defaults in conf/context.xml, those of its host, and its own, which is
 * in conf/Catalina, else in the application, or in server.xml. Later elements take precedence.
 */
public final class ContextSettings {

    private final List<ConfigElement> layers;
    private final List<ConfigElement> global;

    private ContextSettings(List<ConfigElement> layers, List<ConfigElement> global) {
        this.layers = layers;
        this.global = global;
    }

    /**
     * Combines the elements of several files.
     *
     * @param weakestFirst an element with {@code override="true"} hides those before it
     * @param global the Resource and Environment elements of GlobalNamingResources
     */
    static ContextSettings of(List<ConfigElement> weakestFirst, List<ConfigElement> global) {
        int from = 0;
        for (int i = 0; i < weakestFirst.size(); i++) {
            if (Boolean.parseBoolean(weakestFirst.get(i).value("override"))) {
                from = i;
            }
        }
        return new ContextSettings(List.copyOf(weakestFirst.subList(from, weakestFirst.size())), global);
    }

    /** An attribute of Context; null if it is not set and has no default. */
    public @Nullable String text(String name) {
        for (int i = layers.size() - 1; i >= 0; i--) {
            if (layers.get(i).value(name) != null) {
                return new Values(layers.get(i), ContextVocabulary.CONTEXT).text(name);
            }
        }
        AttributeRule rule = ContextVocabulary.CONTEXT.attributes().get(name);
        return rule == null ? null : rule.byDefault();
    }

    /** Applies the attributes of Context that are among the declared settings. */
    public Settings settings(List<Setting<?>> declared, Settings base) {
        Settings settings = base;
        for (Setting<?> setting : declared) {
            String text = text(setting.name());
            settings = text == null ? settings : settings.withText(setting, text);
        }
        return settings;
    }

    /** The {@link ContextOptions} of Context and the elements in it. */
    public Settings options() {
        Settings settings = settings(ContextOptions.ofContext(), Settings.DEFAULTS);
        for (ElementRule rule :
                List.of(ContextVocabulary.COOKIE_PROCESSOR, ContextVocabulary.LOADER, ContextVocabulary.RESOURCES)) {
            settings = element(rule).settings(settings);
        }
        return settings;
    }

    /** The Manager element. */
    public Values manager() {
        return element(ContextVocabulary.MANAGER);
    }

    /** The Store in the Manager; null if there is none. */
    public @Nullable Values store() {
        return inManager("Store");
    }

    /** Whether the Store is a database table, not a directory. */
    public boolean isStoredInDatabase() {
        Values store = store();
        return manager().text("className", "").endsWith(".PersistentManager")
                && store != null
                && store.has("sessionTable");
    }

    /** The attributes of a Resource of GlobalNamingResources; null if there is none of that name. */
    public @Nullable Map<String, String> globalResource(String name) {
        Map<String, Map<String, String>> found = new LinkedHashMap<>();
        global.stream()
                .filter(resource -> resource.name().equals("Resource"))
                .forEach(resource -> put(resource.value("name"), resource, found));
        return found.get(name);
    }

    /** Whether the application may have servlets of the container, which administer the server. */
    public boolean isPrivileged() {
        return Boolean.parseBoolean(text("privileged"));
    }

    /** The types of the resources in GlobalNamingResources by name, sorted. */
    public Map<String, String> globalTypes() {
        Map<String, String> types = new TreeMap<>();
        for (ConfigElement resource : global) {
            String name = resource.value("name");
            if (name != null) {
                types.put(name, String.valueOf(resource.value("type")));
            }
        }
        return types;
    }

    /** The SessionIdGenerator in the Manager; null if there is none. */
    public @Nullable Values sessionIdGenerator() {
        return inManager("SessionIdGenerator");
    }

    private @Nullable Values inManager(String name) {
        ConfigElement manager = last("Manager");
        List<ConfigElement> found = manager == null ? List.of() : manager.children(name);
        ElementRule rule = found.isEmpty() ? null : Vocabulary.of(found.get(0));
        return rule == null ? null : new Values(found.get(0), rule);
    }

    /** The authenticator; null if there is none. */
    public @Nullable Values authenticator() {
        ConfigElement found = null;
        for (ConfigElement layer : layers) {
            for (ConfigElement valve : layer.children("Valve")) {
                found = AuthenticatorVocabulary.isOne(valve) ? valve : found;
            }
        }
        ElementRule rule = found == null ? null : AuthenticatorVocabulary.of(found);
        return found == null || rule == null ? null : new Values(found, rule);
    }

    /** The Valves with handlers, in the order in which they process requests, as in Tomcat. */
    public List<Values> valves() {
        return valves(HandlerValves::of);
    }

    private List<Values> valves(Function<ConfigElement, @Nullable ElementRule> rules) {
        List<Values> found = new ArrayList<>();
        for (ConfigElement layer : layers) {
            for (ConfigElement valve : layer.children("Valve")) {
                ElementRule rule = rules.apply(valve);
                if (rule != null) {
                    found.add(new Values(valve, rule));
                }
            }
        }
        return found;
    }

    /** The enabled access logs. */
    public List<Values> accessLogs() {
        return layers.stream()
                .flatMap(layer -> layer.children("Valve").stream())
                .filter(AccessLogValves::isOne)
                .map(valve -> new Values(valve, AccessLogValves.RULE))
                .filter(valve -> valve.flag("enabled"))
                .toList();
    }

    /** The Valves that configure sessions, in their order. */
    public List<Values> sessionValves() {
        return valves(SessionValves::of);
    }

    /** The application's health check; null if there is none. */
    public @Nullable Values health() {
        return lastValve(valve -> Vocabulary.isHealthCheck(valve) ? Vocabulary.of(valve) : null);
    }

    private @Nullable Values lastValve(Function<ConfigElement, @Nullable ElementRule> rules) {
        Values found = null;
        for (ConfigElement layer : layers) {
            for (ConfigElement valve : layer.children("Valve")) {
                ElementRule rule = rules.apply(valve);
                found = rule == null ? found : new Values(valve, rule);
            }
        }
        return found;
    }

    /** The Resources element: sources and cache of the application's files. */
    public Values files() {
        return element(ContextVocabulary.RESOURCES);
    }

    /** The libraries to scan. */
    public JarFilter jarFilter() {
        return JarScanners.in(last(JarScanners.SCANNER.name()));
    }

    /** Files from elsewhere that appear among those of the application. */
    public ExtraResources extraResources(Path base) {
        return ResourceSets.in(last(ContextVocabulary.RESOURCES.name()), base);
    }

    /** Why they cannot be mounted; null if no reason is known. */
    public @Nullable String extraResourcesDefect(Path base) {
        boolean rewrites = valves().stream().anyMatch(RewriteValves::isOne);
        return ResourceSets.defect(extraResources(base), options().get(ContextOptions.ALLOW_LINKING), rewrites);
    }

    /** The Parameter elements that have a name, the last of each name. */
    public List<Values> parameters() {
        return named(ContextVocabulary.PARAMETER);
    }

    /** The Environment elements that have a name, the last of each name. */
    public List<Values> environments() {
        return named(ContextVocabulary.ENVIRONMENT);
    }

    /** Files whose change redeploys the application; relative to its docBase, or absolute. */
    public List<String> watchedResources() {
        return layers.stream()
                .flatMap(layer -> layer.children("WatchedResource").stream())
                .map(ConfigElement::text)
                .filter(text -> !text.isEmpty())
                .distinct()
                .toList();
    }

    /** The attributes of Resource elements by name, the last of each name. */
    public Map<String, Map<String, String>> resources() {
        Map<String, Map<String, String>> found = new LinkedHashMap<>();
        for (ConfigElement layer : layers) {
            layer.children("Resource").forEach(resource -> put(resource.value("name"), resource, found));
        }
        return found;
    }

    /** The attributes of the last Transaction that has a factory; null if there is none. */
    public @Nullable Map<String, String> transaction() {
        Map<String, Map<String, String>> found = new LinkedHashMap<>();
        for (ConfigElement layer : layers) {
            layer.children("Transaction").stream()
                    .filter(transaction -> transaction.value("factory") != null)
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
    public Map<String, Values> linkedEnvironments() {
        Map<String, Values> found = new LinkedHashMap<>();
        forEachLink(
                "Environment",
                (name, environment) -> found.put(name, new Values(environment, ContextVocabulary.ENVIRONMENT)));
        return found;
    }

    private void forEachLink(String kind, BiConsumer<String, ConfigElement> action) {
        for (ConfigElement layer : layers) {
            for (ConfigElement link : layer.children("ResourceLink")) {
                String name = link.value("name");
                ConfigElement target = target(link, global);
                if (name != null && target != null && target.name().equals(kind)) {
                    action.accept(name, target);
                }
            }
        }
    }

    /** The target of a ResourceLink; null if it does not exist. */
    static @Nullable ConfigElement target(ConfigElement link, List<ConfigElement> global) {
        String name = link.value("global");
        return global.stream()
                .filter(resource -> String.valueOf(resource.value("name")).equals(name))
                .findFirst()
                .orElse(null);
    }

    private static void put(@Nullable String name, ConfigElement resource, Map<String, Map<String, String>> to) {
        if (name != null) {
            Map<String, String> attributes = new LinkedHashMap<>();
            resource.attributes().forEach(attribute -> attributes.put(attribute.name(), attribute.value()));
            to.put(name, attributes);
        }
    }

    private List<Values> named(ElementRule rule) {
        Map<String, Values> byName = new LinkedHashMap<>();
        for (ConfigElement layer : layers) {
            for (ConfigElement child : layer.children(rule.name())) {
                String name = child.value("name");
                if (name != null) {
                    byName.put(name, new Values(child, rule));
                }
            }
        }
        return new ArrayList<>(byName.values());
    }

    private Values element(ElementRule rule) {
        ConfigElement found = last(rule.name());
        ConfigElement none = new ConfigElement(rule.name(), 0, "line 0", List.of(), List.of(), "");
        return new Values(found == null ? none : found, rule);
    }

    private @Nullable ConfigElement last(String name) {
        ConfigElement found = null;
        for (ConfigElement layer : layers) {
            List<ConfigElement> children = layer.children(name);
            found = children.isEmpty() ? found : children.get(children.size() - 1);
        }
        return found;
    }
}
