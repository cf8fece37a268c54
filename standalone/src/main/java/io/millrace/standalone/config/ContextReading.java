package io.millrace.standalone.config;

import io.millrace.standalone.config.context.ContextKinds;
import io.millrace.standalone.config.realm.Realm;
import io.millrace.standalone.config.realm.Realms;
import io.millrace.standalone.config.resource.TomcatFactories;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.ElementReader;
import io.millrace.standalone.config.valve.Valves;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import io.millrace.standalone.config.xml.XmlReader;
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
    private final List<Element> global;
    private final List<Element> relays;
    private final List<Element> layers = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private @Nullable String defect;
    private @Nullable Realm realm;
    /** Whether there is a server.xml, which may have global resources. */
    private final boolean linked;

    /** @param relays Valves of Engine and Host */
    ContextReading(Path base, List<Element> global, List<Element> relays, boolean linked) {
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
        XmlElement xml = XmlReader.read(text, found, Placeholders.ofBase(base));
        if (xml == null || found.hasErrors()) {
            unusable(found.firstError());
            return;
        }
        if (!xml.name().equals("Context")) {
            unusable(name + ": the root element is '" + xml.name() + "'; expected 'Context'");
            return;
        }
        Element root = new ElementReader(Vocabulary::of, found).read(xml);
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

    private void realm(Element element, Problems found) {
        if (element.get(ContextKinds.OVERRIDE)) {
            realm = null;
        }
        Realm own = Realms.in(element, global, base, found);
        realm = own == null ? realm : own;
    }

    /** Adds an element that has been validated. */
    void add(Element element, Problems found) {
        realm(element, found);
        layers.add(element);
    }

    /** The directory to which its paths are relative. */
    public Path base() {
        return base;
    }

    /** The application's own realm; null if it uses its host's. */
    public @Nullable Realm realm() {
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
        return defect == null ? twoKindsOfFrontEnds() : defect;
    }

    private @Nullable String twoKindsOfFrontEnds() {
        Problems found = new Problems("Context");
        Valves.checkFrontEnds(relays, settings().valves(), found);
        return found.hasErrors() ? found.firstError() : null;
    }

    /** Names the links that lead nowhere: looking them up fails, as in Tomcat. */
    public List<String> deadLinks() {
        List<String> found = new ArrayList<>();
        for (Element layer : linked ? layers : List.<Element>of()) {
            for (Element link : layer.children("ResourceLink")) {
                String lack = lack(link);
                if (lack != null) {
                    found.add("the ResourceLink \"" + link.written("name") + "\" in " + link.where()
                            + " of its Context " + lack);
                }
            }
        }
        return found;
    }

    private @Nullable String lack(Element link) {
        if (ContextSettings.isOfAnotherUser(link)) {
            return "asks for connections of another user (DataSourceLinkFactory), so that looking it up fails: "
                    + TomcatFactories.advice(TomcatFactories.DATA_SOURCE_LINK);
        }
        if (ContextSettings.target(link, global) != null) {
            return null;
        }
        String name = String.valueOf(link.written("global"));
        return "refers to \"" + name
                + "\", which GlobalNamingResources of server.xml does not have, so that looking it up fails"
                + EditDistance.suggestion(
                        name,
                        global.stream()
                                .map(resource -> String.valueOf(resource.written("name")))
                                .toList());
    }
}
