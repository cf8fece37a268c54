package io.millrace.standalone.config.realm;

import io.millrace.servlet.identity.PasswordFormat;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All kinds of Realms and CredentialHandlers, and the Realm that counts in an element. A new one is a class of its own, and a line here. */
public final class Realms {

    private static final List<RealmKind> REALMS = List.of(
            UsersFileRealm.ofFile(),
            UsersFileRealm.ofResource(),
            new JdbcRealm(),
            new DataSourceRealm(),
            new JndiRealm(),
            new JaasRealm(),
            FixedRealm.authenticated(),
            FixedRealm.nobody(),
            NestingRealm.combined(),
            NestingRealm.lockOut());

    private static final List<CredentialHandler> HANDLERS = CredentialHandler.kinds();

    private Realms() {}

    /** All kinds; those without a class stand for classes that are not known. */
    public static List<Element.Kind> kinds() {
        List<Element.Kind> kinds = new ArrayList<>(REALMS);
        kinds.addAll(HANDLERS);
        kinds.add(new UnknownRealm(
                "Realm",
                "custom classes are not loaded; write a JAAS LoginModule, which can do whatever a"
                        + " Realm does, for a JAASRealm, or use one of Tomcat's realms",
                REALMS));
        kinds.add(new UnknownRealm(
                "CredentialHandler",
                "custom classes are not loaded; verify such passwords by a JAAS LoginModule"
                        + " (JAASRealm), or store them in a format of Tomcat's handlers",
                HANDLERS));
        return kinds;
    }

    /**
     * The realm of an Engine, Host or Context; null if it has none. Reports missing and invalid attributes.
     *
     * @param global the Resource elements of GlobalNamingResources
     * @param base the directory to which relative paths are relative
     */
    public static @Nullable Realm in(Element container, List<Element> global, Path base, Problems problems) {
        List<Element> realms = container.children("Realm");
        if (realms.size() > 1) {
            problems.warning(
                    realms.get(1).line(),
                    container.name() + " has " + realms.size()
                            + " Realm elements, and only the last one has an effect, as in Tomcat; put them into a"
                            + " CombinedRealm to use all of them");
        }
        if (realms.isEmpty()) {
            return null;
        }
        Element last = realms.get(realms.size() - 1);
        if (!container.name().equals("Context")) {
            return read(last, new RealmPlace(global, List.of(), base, problems));
        }
        if (last.defect() != null) {
            return closed(last);
        }
        int before = problems.size();
        Realm read = problems.partial(
                Problem.Severity.REALM, () -> read(last, new RealmPlace(global, container.children(), base, problems)));
        return read == null ? closed(last) : read.unusable(problems.firstPartial(before));
    }

    /** Not null, which would be the Realm of the Host: that might admit others. */
    private static Realm closed(Element element) {
        return new Realm(element, PasswordFormat.detected(), null, Map.of(), List.of(), element.defect());
    }

    /** Null if it is of an unknown class, which was reported. */
    private static @Nullable Realm read(Element element, RealmPlace place) {
        if (!(element.kind() instanceof RealmKind kind)) {
            return null;
        }
        List<Realm> nested = new ArrayList<>();
        for (Element child : element.children("Realm")) {
            Realm realm = read(child, place);
            if (realm != null) {
                nested.add(realm);
            }
        }
        kind.checkUsed(element, place.problems());
        return new Realm(
                element,
                CredentialHandler.in(element, place.problems()),
                kind.file(element, place),
                kind.dataSource(element, place),
                nested,
                null);
    }
}
