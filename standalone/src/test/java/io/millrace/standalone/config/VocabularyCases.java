package io.millrace.standalone.config;

import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.XmlElement;
import io.millrace.testkit.Connectors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files of server.xml in which one attribute of the vocabulary has one of the values that its type accepts, one file for each:
 * what the vocabulary takes is to be taken by everything behind it.
 */
public final class VocabularyCases {

    /** What operators write, and what they write by mistake; each attribute gets those that its type accepts. */
    private static final List<String> VALUES = List.of(
            "",
            " ",
            "0",
            "1",
            "-1",
            "8443",
            "2147483647",
            "true",
            "false",
            "on",
            "all",
            "none",
            "x",
            "/x",
            "a,b",
            "10.0.0.1",
            "%h",
            "*",
            "${java.version}");

    /** Nothing has this name, so that check refuses the attribute, or leaves it out with a warning. */
    private static final String UNSET = "${none.such}";

    /** Has a value already; and what the process that starts the server has to bring, which check can't know. */
    private static final Set<String> ELSEWHERE = Set.of("className", "inheritedSocket", "useInheritedChannel");

    /** Of those, so many: a start takes a tenth of a second. */
    private static final int MOST = 3;

    /** Where an element stands, with # in the place of its attributes. */
    private static final Map<String, String> PLACES = places();

    private static final String CONNECTOR = "<Connector#Connector port='0' address='127.0.0.1'/>";
    private static final Pattern OTHERS = Pattern.compile("#\\w+");

    private VocabularyCases() {}

    /**
     * One file.
     *
     * @param opens to be tried with an open port
     */
    public record Case(String name, String serverXml, boolean opens) {}

    private static Map<String, String> places() {
        Map<String, String> places = new LinkedHashMap<>();
        for (String element : List.of("Server", "Service", "Engine", "Host")) {
            places.put(element, "");
        }
        places.put("Connector", "");
        if (Connectors.contain("ajp")) {
            places.put("Connector protocol='AJP/1.3'", "C<Connector# port='0' address='127.0.0.1' secret='s'/>");
        }
        places.put("Executor", "C<Executor# name='e'/><Connector port='0' address='127.0.0.1' executor='e'/>");
        String keys = "certificateKeystoreFile='keys.p12' certificateKeystorePassword='secret'";
        places.put(
                "SSLHostConfig",
                "C<Connector port='0' address='127.0.0.1' SSLEnabled='true'><SSLHostConfig#><Certificate " + keys
                        + "/></SSLHostConfig></Connector>");
        places.put(
                "Certificate",
                "C<Connector port='0' address='127.0.0.1' SSLEnabled='true'><SSLHostConfig><Certificate# " + keys
                        + "/></SSLHostConfig></Connector>");
        places.put(
                "UpgradeProtocol className='org.apache.coyote.http2.Http2Protocol'",
                "C<Connector port='0' address='127.0.0.1'><UpgradeProtocol#/></Connector>");
        places.put("Context", "H<Context# path='/demo' docBase='demo'/>");
        for (String element : List.of("Manager", "CookieProcessor", "Loader", "Resources")) {
            places.put(element, inContext("<" + element + "#/>"));
        }
        places.put(
                "Store",
                inContext("<Manager className='org.apache.catalina.session.PersistentManager'><Store#/></Manager>"));
        places.put("SessionIdGenerator", inContext("<Manager><SessionIdGenerator#/></Manager>"));
        places.put("Parameter", inContext("<Parameter# name='n' value='v'/>"));
        places.put("Environment", inContext("<Environment# name='n' value='v' type='java.lang.String'/>"));
        for (String valve : List.of("Basic", "Digest", "SSL", "NonLogin", "Spnego")) {
            valve(places, "authenticator." + valve + "Authenticator", true);
        }
        for (String valve : List.of(
                "RemoteIpValve",
                "RemoteAddrValve",
                "RemoteCIDRValve",
                "RemoteHostValve",
                "AccessLogValve",
                "HealthCheckValve",
                "ErrorReportValve",
                "CrawlerSessionManagerValve",
                "LoadBalancerDrainingValve",
                "PersistentValve",
                "SemaphoreValve",
                "StuckThreadDetectionValve",
                "rewrite.RewriteValve")) {
            valve(places, "valves." + valve, false);
        }
        realms(places);
        return places;
    }

    private static void realms(Map<String, String> places) {
        String tables = " userTable='u' userNameCol='n' userCredCol='c'";
        Map<String, String> realms = new LinkedHashMap<>();
        realms.put("MemoryRealm", "");
        realms.put("NullRealm", "");
        realms.put("AuthenticatedUserRealm", "");
        realms.put("CombinedRealm", "");
        realms.put("LockOutRealm", "");
        realms.put("JDBCRealm", " connectionURL='jdbc:x'" + tables);
        realms.put("JNDIRealm", " connectionURL='ldap://127.0.0.1:1' userPattern='uid={0},dc=x'");
        realms.forEach((realm, needed) -> places.put(
                "Realm className='org.apache.catalina.realm." + realm + "'",
                "E<Realm#" + needed + "><Realm className='org.apache.catalina.realm.NullRealm'/></Realm>"));
        for (String handler : List.of("MessageDigest", "SecretKey")) {
            places.put(
                    "CredentialHandler className='org.apache.catalina.realm." + handler + "CredentialHandler'",
                    "E<Realm className='org.apache.catalina.realm.MemoryRealm'><CredentialHandler#/></Realm>");
        }
    }

    private static String inContext(String element) {
        return "H<Context path='/demo' docBase='demo'>" + element + "</Context>";
    }

    private static void valve(Map<String, String> places, String name, boolean inContext) {
        String valve = "Valve className='org.apache.catalina." + name + "'";
        places.put(valve, inContext ? inContext("<Valve#/>") : "H<Valve#/>");
    }

    /** All of them. */
    public static List<Case> all() {
        List<Case> cases = new ArrayList<>();
        PLACES.forEach((element, place) -> {
            for (Attribute<?> rule : kind(element).attributes().values()) {
                if (rule.effect() == Attribute.Effect.WORKS && !ELSEWHERE.contains(rule.name())) {
                    List<String> accepted =
                            VALUES.stream().filter(rule.type()::accepts).toList();
                    for (int i = 0; i < Math.min(MOST, accepted.size()); i++) {
                        cases.add(of(element, place, rule.name(), accepted.get(i), i == 0));
                    }
                    cases.add(of(element, place, rule.name(), UNSET, false));
                }
            }
        });
        return cases;
    }

    private static Element.Kind kind(String element) {
        String[] parts = element.split("[ =']+", -1);
        List<XmlElement.Attribute> attributes =
                parts.length == 1 ? List.of() : List.of(new XmlElement.Attribute(parts[1], parts[2], 1));
        Element.Kind kind = Vocabulary.of(new XmlElement(parts[0], 1, "line 1", attributes, List.of(), ""));
        if (kind.attributes().isEmpty()) {
            throw new AssertionError(element);
        }
        return kind;
    }

    private static Case of(String element, String place, String name, String value, boolean first) {
        String kind = place.isEmpty() ? "" : place.substring(0, 1);
        String inside = place.isEmpty() ? "" : place.substring(1);
        String whole = """
                <Server#Server><Service#Service>%s<Engine#Engine>%s<Host#Host appBase='webapps' autoDeploy='false'>%s</Host>
                </Engine></Service></Server>
                """.formatted(
                kind.equals("C") ? inside : CONNECTOR, kind.equals("E") ? inside : "", kind.equals("H") ? inside : "");
        int space = element.indexOf(' ');
        String own = (space < 0 ? "" : element.substring(space)) + " " + name + "='" + value + "'";
        String marker = place.isEmpty() ? "#" + element : "#";
        String attributes = Matcher.quoteReplacement(own);
        String filled = place.isEmpty()
                ? whole.replaceFirst(marker + "\\b", attributes)
                : whole.replaceFirst("#(?!\\w)", attributes);
        String text = OTHERS.matcher(filled).replaceAll("");
        boolean opens = first && !element.contains("AJP") && (!kind.equals("E") || element.equals("Connector"));
        return new Case(element + " " + name + "='" + value + "'", withoutDouble(text, name, own), opens);
    }

    /** The attribute counts that is tried, not that which the place has. */
    private static String withoutDouble(String text, String name, String own) {
        int end = text.indexOf(own) + own.length();
        int close = text.indexOf('>', end);
        return text.substring(0, end)
                + text.substring(end, close).replaceFirst(" " + Pattern.quote(name) + "='[^']*'", "")
                + text.substring(close);
    }
}
