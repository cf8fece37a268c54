package io.millrace.standalone.config.valve;

import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A kind of Valve. Its class name only selects it; the class is not loaded. */
public abstract class ValveKind extends Element.Kind {

    static final String VALVES = "org.apache.catalina.valves.";

    /** @param own the attributes besides those that all Valves have */
    @SafeVarargs
    protected ValveKind(String className, List<Attribute<?>>... own) {
        super("Valve", className, Attribute.all(TomcatAttributes.of("Valve"), Attribute.all(own)));
    }

    /** The simple name of its class. */
    public final String simpleName() {
        String type = Objects.requireNonNull(className());
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /** The names of the elements in which it works. */
    public Set<String> places() {
        return Set.of("Engine", "Host", "Context");
    }

    @Override
    public final boolean isIn(String parent, XmlElement element, Problems problems) {
        boolean right = places().contains(parent);
        if (!right) {
            misplaced(parent, element, problems);
        }
        return right;
    }

    /** Reports that it is in an element where it has no effect. */
    void misplaced(String parent, XmlElement element, Problems problems) {
        problems.error(
                element.line(),
                "Valve " + className() + ": it belongs in " + (parent.equals("Context") ? "Engine or Host" : "Context")
                        + "; move it there");
    }

    /** The names of the headers that it takes from front ends, which no client may send to a backend. */
    public Set<String> frontEndHeaders(Element valve) {
        return Set.of();
    }

    /** The Valves of these kinds in an element, in their order. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static List<Element> in(Element container, Class<? extends ValveKind>... kinds) {
        return container.children("Valve").stream()
                .filter(valve -> Stream.of(kinds).anyMatch(kind -> kind.isInstance(valve.kind())))
                .toList();
    }

    /** The last Valve of a kind; null if there is none. */
    public static @Nullable Element last(Class<? extends ValveKind> kind, List<Element> valves) {
        return valves.stream()
                .filter(valve -> kind.isInstance(valve.kind()))
                .reduce((first, second) -> second)
                .orElse(null);
    }
}
