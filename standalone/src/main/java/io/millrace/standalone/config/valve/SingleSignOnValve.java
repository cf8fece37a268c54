package io.millrace.standalone.config.valve;

import static io.millrace.settings.SettingType.BOOLEAN;

import io.millrace.servlet.security.SingleSignOn;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Tomcat's SingleSignOn and ClusterSingleSignOn, in Engine and Host. Both are for all servers of a Cluster, if there is one. */
public final class SingleSignOnValve extends ValveKind {

    private static final String NAME = Authenticator.PACKAGE + "SingleSignOn";
    private static final String OF_CLUSTER = "org.apache.catalina.ha.authenticator.ClusterSingleSignOn";
    private static final Set<String> NAMES = Set.of(NAME, OF_CLUSTER);

    private static final SettingType<String> COOKIE_NAME = SettingType.text(
            "a name of letters, digits, hyphens and underscores", value -> value.matches("[A-Za-z0-9_-]+"));

    private static final SettingType<String> DOMAIN = SettingType.text(
            "a domain, such as example.com", value -> value.matches("\\.?[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*"));

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<Boolean> REQUIRE_REAUTHENTICATION =
            GROUP.add("requireReauthentication", BOOLEAN, false);
    private static final Setting<String> COOKIE_DOMAIN = GROUP.optional("cookieDomain", DOMAIN);
    private static final Setting<String> NAME_OF_COOKIE = GROUP.add("cookieName", COOKIE_NAME, "JSESSIONIDSSO");

    private SingleSignOnValve(String className, List<Attribute<?>> ofTomcat) {
        super(className, Attribute.of(GROUP.settings()), ofTomcat);
    }

    /** Under both names. */
    static Stream<SingleSignOnValve> kinds() {
        return Stream.of(
                new SingleSignOnValve(NAME, List.of()),
                new SingleSignOnValve(OF_CLUSTER, TomcatAttributes.of("ClusterSingleSignOn")));
    }

    /** Whether a Valve of this class logs users in to applications. */
    static boolean is(String className) {
        return NAMES.contains(className);
    }

    /** Whether it would be a mistake to use it on a server that shares nothing: a log-out elsewhere would not end a login here. */
    public boolean needsCluster() {
        return OF_CLUSTER.equals(className());
    }

    @Override
    public Set<String> places() {
        return Set.of("Engine", "Host");
    }

    @Override
    void misplaced(String parent, XmlElement element, Problems problems) {
        problems.warning(
                element.line(),
                "Valve " + className() + " is ignored: it is for all applications of an Engine or Host; move it there");
    }

    /** What its attributes say. */
    public static SingleSignOn.Options options(Element valve) {
        return new SingleSignOn.Options(
                valve.get(NAME_OF_COOKIE), valve.find(COOKIE_DOMAIN), valve.get(REQUIRE_REAUTHENTICATION));
    }
}
