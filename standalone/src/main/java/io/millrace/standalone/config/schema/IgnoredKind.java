package io.millrace.standalone.config.schema;

import io.millrace.standalone.config.xml.Problems;
import org.jspecify.annotations.Nullable;

/** Elements that Tomcat has, and that are ignored with a warning whatever is in them. */
public final class IgnoredKind extends Element.Kind {

    private final @Nullable String reason;
    private final boolean named;

    private IgnoredKind(String name, @Nullable String reason, boolean named) {
        super(name);
        this.reason = reason;
        this.named = named;
    }

    /**
     * The elements of a name.
     *
     * @param reason why, and what to write instead; null if that is obvious
     */
    public static IgnoredKind of(String name, @Nullable String reason) {
        return new IgnoredKind(name, reason, false);
    }

    /** Those whose class says what they are, which the warning names. */
    public static IgnoredKind ofClass(String name, String reason) {
        return new IgnoredKind(name, reason, true);
    }

    @Override
    public void check(Element element, String parent, Problems problems) {
        report(element, named ? " " + element.written("className") : "", reason, problems);
    }

    /**
     * Warns that an element is ignored.
     *
     * @param what after the element's name; empty, or begins with a space
     */
    public static void report(Element element, String what, @Nullable String reason, Problems problems) {
        problems.warning(element.line(), element.name() + what + " is ignored" + (reason == null ? "" : ": " + reason));
    }
}
