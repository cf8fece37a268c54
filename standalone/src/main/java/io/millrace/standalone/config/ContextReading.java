package io.millrace.standalone.config;

import io.millrace.text.EditDistance;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The Context elements of one application as they are read, file by file, and what is wrong with them. */
public final class ContextReading {

    private final Path base;
    private final List<ConfigElement> global;
    private final List<Values> relays;
    private final List<ConfigElement> layers = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private @Nullable String defect;
    private @Nullable RealmConfig realm;
    /** There is a server.xml that may have global resources. */
    private final boolean linked;

    /** @param relays those of Engine and Host */
    ContextReading(Path base, List<ConfigElement> global, List<Values> relays, boolean linked) {
        this.base = base;
        this.global = global;
        this.relays = relays;
        this.linked = linked;
    }

    /** Where bytes come from; null: there are none. */
    interface Source {
        byte @Nullable [] read() throws IOException;
    }

    /** An application that brings a context.xml nobody may read is not deployed: it may restrict something. */
    void refuse(String name, Source source, String advice) {
        try {
            if (source.read() != null) {
                unusable(name + " is not read, because the Host has deployXML=\"false\"; " + advice);
            }
        } catch (IOException e) {
            unusable(name + " cannot be read: " + e.getMessage());
        }
    }

    void add(String name, Source source) {
        try {
            byte[] bytes = source.read();
            if (bytes != null) {
                parse(name, XmlText.of(bytes));
            }
        } catch (IOException e) {
            unusable(name + " cannot be read: " + e.getMessage());
        }
    }

    private void parse(String name, String text) {
        Problems found = new Problems(name);
        ConfigElement root = XmlReader.read(text, found, Placeholders.ofBase(base));
        if (root == null || found.hasErrors()) {
            unusable(String.valueOf(found.inOrder().get(0)));
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

    /** The first reason is told. Whatever is wrong, users and constraints of elsewhere never stand in for what it says. */
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

    /** Validated already. */
    void add(ConfigElement element, Problems found) {
        realm(element, found);
        layers.add(element);
    }

    /** What relative paths of its access logs begin at. */
    public Path base() {
        return base;
    }

    /** Who may log in to this application; null: as its host says. */
    public @Nullable RealmConfig realm() {
        return realm;
    }

    /** What they say together. */
    public ContextSettings settings() {
        return ContextSettings.of(layers, global);
    }

    /** What is ignored or looks wrong; with an error the application is not deployed, see {@link #defect}. */
    public List<Problem> problems() {
        return problems;
    }

    /** Why the application can't be deployed; null if nothing is known. */
    public @Nullable String defect() {
        String reason = defect == null ? twoKindsOfFrontEnds() : defect;
        return reason != null || !linked ? reason : brokenLink();
    }

    private @Nullable String twoKindsOfFrontEnds() {
        Problems found = new Problems("Context");
        FrontEndVocabulary.checkOneKind(relays, settings().valves(), found);
        return found.hasErrors() ? String.valueOf(found.inOrder().get(0)) : null;
    }

    /** A lookup would fail at some request, and the application do who knows what. */
    private @Nullable String brokenLink() {
        for (ConfigElement layer : layers) {
            for (ConfigElement link : layer.children("ResourceLink")) {
                if (TomcatFactories.DATA_SOURCE_LINK.equals(link.value("factory"))) {
                    return "the ResourceLink \"" + link.value("name") + "\" in " + link.where()
                            + " of its Context asks for connections of another user (DataSourceLinkFactory): "
                            + TomcatFactories.advice(TomcatFactories.DATA_SOURCE_LINK);
                }
                if (ContextSettings.target(link, global) == null) {
                    String name = String.valueOf(link.value("global"));
                    return "the ResourceLink \"" + link.value("name") + "\" in " + link.where()
                            + " of its Context leads to \"" + name
                            + "\", which GlobalNamingResources of server.xml does not have"
                            + EditDistance.suggestion(
                                    name,
                                    global.stream()
                                            .map(resource -> String.valueOf(resource.value("name")))
                                            .toList());
                }
            }
        }
        return null;
    }
}
