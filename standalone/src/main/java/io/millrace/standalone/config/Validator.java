package io.millrace.standalone.config;

import java.util.Set;
import java.util.TreeSet;

/** Compares a file with the vocabulary: names, values, and what has no effect. */
final class Validator {

    /** What Tomcat's shipped server.xml holds to mend Tomcat's or old JDKs' own troubles: nothing is lost without them. */
    private static final Set<String> MOOT_LISTENERS = Set.of(
            "VersionLoggerListener",
            "AprLifecycleListener",
            "JreMemoryLeakPreventionListener",
            "GlobalResourcesLifecycleListener",
            "ThreadLocalLeakPreventionListener");

    private final Problems problems;

    Validator(Problems problems) {
        this.problems = problems;
    }

    void validate(XmlElement element) {
        ElementRule rule = Vocabulary.of(element);
        if (rule == null) {
            tolerate(element);
            return;
        }
        for (XmlAttribute attribute : element.attributes()) {
            validate(attribute, rule);
        }
        for (XmlElement child : element.children()) {
            if (rule.name().equals("Context")
                    && child.name().equals("Valve")
                    && !AuthenticatorVocabulary.isOne(child)) {
                withoutEffect(child, " " + child.value("className") + " in Context");
            } else if (rule.children().contains(child.name())) {
                validate(child);
            } else {
                problems.warning(
                        child.line(),
                        "unknown element '" + child.name() + "' in " + rule.name()
                                + NearestName.suggestion(child.name(), rule.children()));
            }
        }
    }

    private void validate(XmlAttribute attribute, ElementRule element) {
        AttributeRule rule = element.attributes().get(attribute.name());
        if (rule == null) {
            problems.warning(
                    attribute.line(),
                    "unknown attribute '" + attribute.name() + "' on " + element.name()
                            + NearestName.suggestion(
                                    attribute.name(),
                                    new TreeSet<>(element.attributes().keySet())));
        } else if (!rule.kind().accepts().test(attribute.value())) {
            problems.error(
                    attribute.line(),
                    attribute.name() + "=\"" + attribute.value() + "\" on " + element.name() + ": expected "
                            + rule.kind().expected());
        } else if (rule.effect() == AttributeRule.Effect.NONE
                && !attribute.value().equalsIgnoreCase(rule.byDefault())) {
            problems.warning(
                    attribute.line(),
                    attribute.name() + " on " + element.name() + " is accepted, without effect"
                            + (rule.reason() == null ? "" : ": " + rule.reason()));
        }
    }

    /** An element that loads a class in Tomcat: said once that it isn't loaded, unless nothing is lost. */
    private void tolerate(XmlElement element) {
        String type = String.valueOf(element.value("className"));
        String simpleType = type.substring(type.lastIndexOf('.') + 1);
        switch (element.name()) {
            case "Listener" -> {
                if (!MOOT_LISTENERS.contains(simpleType)) {
                    withoutEffect(element, " " + type);
                }
            }
            case "Realm", "CredentialHandler" -> RealmVocabulary.refuse(element, problems);
            case "Resource", "ResourceLink" -> {
                if (!ContextVocabulary.isMade(element)) {
                    withoutEffect(element, " " + element.value("name") + " of type " + element.value("type"));
                }
            }
            case "GlobalNamingResources" ->
                element.children().stream()
                        .filter(child -> !UsersFile.isUserDatabase(child) && !ContextVocabulary.isMade(child))
                        .forEach(child -> withoutEffect(child, " " + child.value("name")));
            case "Valve" -> withoutEffect(element, " " + type);
            default -> {
                if (!ContextVocabulary.HARMLESS.contains(element.name())) {
                    withoutEffect(element, "");
                }
            }
        }
    }

    private void withoutEffect(XmlElement element, String what) {
        problems.warning(element.line(), element.name() + what + " is accepted, without effect");
    }
}
