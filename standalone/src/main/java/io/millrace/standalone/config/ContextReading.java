package io.millrace.standalone.config;

import io.millrace.text.EditDistance;
import io.millrace.text.Placeholders;
import io.millrace.text.XmlText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the Context elements of one application, file by file, and collects their problems. */
public final class ContextReading {

    private final Path base;
    private final List<ConfigElement> global;
    private final List<Values> relays;
    private final List<ConfigElement> layers = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private @Nullable String defect;
    private @Nullable RealmConfig realm;
    /** Whether there is a server.xml, which may have global resources. */
    private final boolean linked;

    /** @param relays Valves of Engine and Host */
    ContextReading(Path base, List<ConfigElement> global, List<Values> relays, boolean linked) {
        this.base = base;
        this.global = global;
        this.relays = relays;
        this.linked = linked;
    }

    /** Reads a file; null if it does not exist. */
    interface Source {
        byte @Nullable [] read() throws IOException;
    }

    /** Rejects an application whose context.xml must not be read, because that might restrict access. */
    void refuse(String name, Source source, String advice) {
        try {
            if (source.read() != null) {
                unusable(name + " is not read, because the Host has deployXML=\"false\"; " + advice);
            }
        } catch (IOException e) {
            unusable(name + " cannot be read (" + e + ")");
        }
    }

    void add(String name, Source source) {
        try {
            byte[] bytes = source.read();
            if (bytes != null) {
                parse(name, XmlText.withoutDoctype(XmlText.of(bytes)));
            }
        } catch (IOException e) {
            unusable(name + " cannot be read (" + e + ")");
        }
    }

    private void parse(String name, String text) {
        Problems found = new Problems(name);
        ConfigElement root = XmlReader.read(text, found, Placeholders.ofBase(base));
        if (root == null || found.hasErrors()) {
            unusable(found.firstError());
            return;
        }
        if (!root.name().equals("Context")) {
            unusable(name + ": the root element is '" + root.name() + "'; expected 'Context'");
            return;
        }
        new Validator(found).validate(root);
        realm(root, found);
        problems.addAll(found.inOrder());
        layers.add(root);
        found.inOrder().stream()
                .filter(problem -> problem.severity() == Problem.Severity.ERROR)
                .findFirst()
                .ifPresent(error -> unusable(error.toString()));
    }

    /** Keeps the first reason. An invalid Context is never replaced by defaults, which might admit other users. */
    private void unusable(String reason) {
        defect = defect == null ? reason : defect;
    }

    private void realm(ConfigElement element, Problems found) {
        if (Boolean.parseBoolean(element.value("override"))) {
            realm = null;
        }
        RealmConfig own = new RealmReader(global, base, found).in(element);
        realm = own == null ? realm : own;
    }

    /** Adds an element that has been validated. */
    void add(ConfigElement element, Problems found) {
        realm(element, found);
        layers.add(element);
    }

    /** The directory to which its paths are relative. */
    public Path base() {
        return base;
    }

    /** The application's own realm; null if it uses its host's. */
    public @Nullable RealmConfig realm() {
        return realm;
    }

    /** The combined settings of all elements. */
    public ContextSettings settings() {
        return ContextSettings.of(layers, global);
    }

    /** Warnings and errors; with an error the application is not deployed, see {@link #defect}. */
    public List<Problem> problems() {
        return problems;
    }

    /** Why the application cannot be deployed; null if no reason is known. */
    public @Nullable String defect() {
        String reason = defect == null ? twoKindsOfFrontEnds() : defect;
        return reason != null || !linked ? reason : brokenLink();
    }

    private @Nullable String twoKindsOfFrontEnds() {
        Problems found = new Problems("Context");
        FrontEndVocabulary.checkOneKind(relays, settings().valves(), found);
        return found.hasErrors() ? found.firstError() : null;
    }

    /** Finds a link whose lookup would fail at runtime. */
    private @Nullable String brokenLink() {
        for (ConfigElement layer : layers) {
            for (ConfigElement link : layer.children("ResourceLink")) {
                if (TomcatFactories.DATA_SOURCE_LINK.equals(link.value("factory"))) {
                    return "the ResourceLink \"" + link.value("name") + "\" in " + link.where()
                            + " of its Context asks for connections of another user (DataSourceLinkFactory): "
                            + TomcatFactories.advice(TomcatFactories.DATA_SOURCE_LINK);
                }
            }
        }
        return null;
    }

    /** Names the links that lead nowhere: looking them up fails, as in Tomcat. */
    public List<String> deadLinks() {
        List<String> found = new ArrayList<>();
        for (ConfigElement layer : linked ? layers : List.<ConfigElement>of()) {
            for (ConfigElement link : layer.children("ResourceLink")) {
                if (ContextSettings.target(link, global) == null) {
                    String name = String.valueOf(link.value("global"));
                    found.add("the ResourceLink \"" + link.value("name") + "\" in " + link.where()
                            + " of its Context refers to \"" + name
                            + "\", which GlobalNamingResources of server.xml does not have, so that looking it up fails"
                            + EditDistance.suggestion(
                                    name,
                                    global.stream()
                                            .map(resource -> String.valueOf(resource.value("name")))
                                            .toList()));
                }
            }
        }
        return found;
    }
}
