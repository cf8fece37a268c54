package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.InjectionTargetModel;
import io.millrace.servlet.model.LifecycleMethodModel;
import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.NamingEntryModel.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the elements of JNDI and injection: env-entry, references, post-construct and pre-destroy. */
final class NamingElements {

    /** The elements with the entry's name, of all kinds of entries. */
    private static final List<String> NAMES = List.of(
            "env-entry-name",
            "res-ref-name",
            "resource-env-ref-name",
            "ejb-ref-name",
            "message-destination-ref-name",
            "persistence-context-ref-name",
            "persistence-unit-ref-name",
            "service-ref-name");

    private static final List<String> TYPES = List.of(
            "env-entry-type",
            "res-type",
            "resource-env-ref-type",
            "remote",
            "local",
            "message-destination-type",
            "service-ref-type");

    private static final List<String> LOOKUPS =
            List.of("lookup-name", "ejb-link", "message-destination-link", "persistence-unit-name", "mapped-name");

    private static final Map<String, Kind> KINDS = kinds();

    private final Descriptor descriptor;

    NamingElements(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** Reads an element; ignores others. */
    void accept(DescriptorElement element) throws DeploymentException {
        Kind kind = KINDS.get(element.name());
        if (kind != null) {
            entry(kind, element);
            return;
        }
        switch (element.name()) {
            case "post-construct" -> descriptor.postConstructMethods.add(method(element));
            case "pre-destroy" -> descriptor.preDestroyMethods.add(method(element));
            default -> {}
        }
    }

    private void entry(Kind kind, DescriptorElement element) throws DeploymentException {
        String name = first(element, NAMES);
        if (name == null) {
            throw element.error("<" + element.name() + "> needs a name");
        }
        DescriptorElement value = element.child("env-entry-value");
        NamingEntryModel entry = new NamingEntryModel(
                kind,
                name,
                first(element, TYPES),
                value == null ? null : value.text(),
                first(element, LOOKUPS),
                targets(element));
        if (descriptor.namingEntries.put(kind.element() + ' ' + name, entry) != null) {
            throw element.error("duplicate <" + element.name() + "> \"" + name + "\"");
        }
    }

    private static List<InjectionTargetModel> targets(DescriptorElement element) throws DeploymentException {
        List<InjectionTargetModel> targets = new ArrayList<>();
        for (DescriptorElement target : element.children("injection-target")) {
            targets.add(new InjectionTargetModel(
                    target.required("injection-target-class"), target.required("injection-target-name")));
        }
        return targets;
    }

    private static LifecycleMethodModel method(DescriptorElement element) throws DeploymentException {
        return new LifecycleMethodModel(
                element.required("lifecycle-callback-class"), element.required("lifecycle-callback-method"));
    }

    private static @Nullable String first(DescriptorElement element, List<String> names) {
        for (String name : names) {
            String text = element.childText(name);
            if (text != null) {
                return text;
            }
        }
        return null;
    }

    private static Map<String, Kind> kinds() {
        Map<String, Kind> kinds = new HashMap<>();
        for (Kind kind : Kind.values()) {
            kinds.put(kind.element(), kind);
        }
        return Map.copyOf(kinds);
    }
}
