package io.millrace.standalone.config.realm;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.text.EditDistance;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A Realm or CredentialHandler of a class that is not known: an error. */
final class UnknownRealm extends Element.Kind {

    static final String PACKAGE = "org.apache.catalina.realm.";

    private final String advice;
    private final Set<String> known = new TreeSet<>();

    /**
     * The elements of one name.
     *
     * @param advice what to do instead of writing a class of one's own
     */
    UnknownRealm(String element, String advice, Iterable<? extends Element.Kind> kinds) {
        super(element);
        this.advice = advice;
        kinds.forEach(kind -> known.add(String.valueOf(kind.className()).substring(PACKAGE.length())));
    }

    @Override
    public Problem.@Nullable Severity costOfErrors(String parent) {
        return name().equals("Realm") && parent.equals("Context") ? Problem.Severity.REALM : null;
    }

    @Override
    public void check(Element element, String parent, Problems problems) {
        String type = String.valueOf(element.written("className"));
        boolean own = !type.startsWith("org.apache.catalina.");
        String kind = name().toLowerCase(Locale.ROOT).replace("credentialh", "credential h");
        problems.error(
                element.line(),
                "className=\"" + type + "\" on " + name() + ": there is no such " + kind
                        + EditDistance.suggestion(type.substring(type.lastIndexOf('.') + 1), known)
                        + (own ? "; " + advice : "") + "; known are " + String.join(", ", known));
    }
}
