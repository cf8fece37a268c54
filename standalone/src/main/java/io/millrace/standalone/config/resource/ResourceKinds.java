package io.millrace.standalone.config.resource;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.IgnoredKind;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a Context and of GlobalNamingResources that name objects: Parameter and Environment with a value, Resource and
 * Transaction with a factory, whose attributes are the factory's.
 */
public final class ResourceKinds {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The name by which applications look it up. */
    public static final Setting<String> NAME = GROUP.optional("name", TEXT);

    /** The class of an Environment's value. */
    public static final Setting<String> TYPE = new SettingGroup().optional("type", TEXT);

    /** The value as a text. */
    public static final Setting<String> VALUE = GROUP.optional("value", TEXT);

    /** Whether web.xml may give it another value. */
    public static final Setting<Boolean> OVERRIDE = GROUP.add("override", BOOLEAN, true);

    private ResourceKinds() {}

    /** All kinds. */
    public static List<Element.Kind> kinds() {
        return List.of(
                new Element.Kind(
                        "Parameter", Attribute.all(Attribute.of(GROUP.settings()), TomcatAttributes.of("Parameter"))),
                new Element.Kind(
                        "Environment",
                        Attribute.all(
                                Attribute.of(List.of(TYPE)),
                                Attribute.of(GROUP.settings()),
                                TomcatAttributes.of("Environment"))),
                new Resource("Resource"),
                new Resource("ResourceLink"),
                new Transaction(),
                new GlobalResources(),
                IgnoredKind.of("ResourceEnvRef", "use a Resource with a factory in the application"));
    }

    /** Whether it is a supported Resource, or a link to one. */
    private static boolean isMade(Element resource) {
        return TomcatFactories.isMade(resource.written("type"), resource.written("factory"));
    }

    private static @Nullable String advice(Element resource) {
        return TomcatFactories.advice(resource.written("factory"));
    }

    private static final class Resource extends Element.Kind {

        Resource(String name) {
            super(name);
        }

        @Override
        public void check(Element element, String parent, Problems problems) {
            if (!isMade(element) && !isValueLink(element)) {
                String what = " " + element.written("name") + " of type " + element.written("type");
                IgnoredKind.report(element, what, advice(element), problems);
            }
            PoolAttributes.check(element, problems);
        }

        /** Whether it is a link to an Environment, whose type is in java.lang. */
        private static boolean isValueLink(Element element) {
            String type = element.written("type");
            return element.name().equals("ResourceLink") && (type == null || type.startsWith("java.lang."));
        }
    }

    private static final class Transaction extends Element.Kind {

        Transaction() {
            super("Transaction");
        }

        @Override
        public void check(Element element, String parent, Problems problems) {
            if (element.written("factory") == null || !isMade(element)) {
                String advice = advice(element);
                String builtIn =
                        "there is no built-in transaction manager; name the factory of one in lib or in the application";
                IgnoredKind.report(element, "", advice == null ? builtIn : advice, problems);
            }
        }
    }

    private static final class GlobalResources extends Element.Kind {

        GlobalResources() {
            super("GlobalNamingResources");
        }

        @Override
        public void check(Element element, String parent, Problems problems) {
            element.children("Resource").forEach(resource -> PoolAttributes.check(resource, problems));
            element.children().stream()
                    .filter(child -> !child.name().equals("Environment")
                            && !TomcatFactories.isUserDatabase(child)
                            && !isMade(child))
                    .forEach(child ->
                            IgnoredKind.report(child, " " + child.written("name"), globalAdvice(child), problems));
        }

        private static @Nullable String globalAdvice(Element child) {
            String advice = advice(child);
            return advice == null && child.name().equals("ResourceEnvRef")
                    ? "use a Resource with a factory in the application"
                    : advice;
        }
    }
}
