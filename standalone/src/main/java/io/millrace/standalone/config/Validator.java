package io.millrace.standalone.config;

import io.millrace.settings.SettingType;
import io.millrace.text.EditDistance;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Validates a file against the vocabulary: names, values, and attributes without effect. Whatever restricts access in Tomcat, or
 * may have been meant to, is an error unless it is supported.
 */
final class Validator {

    /** Listeners of Tomcat's default server.xml that work around problems of Tomcat or of old JDKs; ignored without a warning. */
    private static final Set<String> MOOT_LISTENERS = Set.of(
            "VersionLoggerListener",
            "AprLifecycleListener",
            "OpenSSLLifecycleListener",
            "TLSCertificateReloadListener",
            "JasperListener",
            "JreMemoryLeakPreventionListener",
            "GlobalResourcesLifecycleListener",
            "ThreadLocalLeakPreventionListener");

    /** Listeners of hazelcast, mod_cluster and the like. */
    private static final Pattern REPLICATION =
            Pattern.compile("(com\\.hazelcast|org\\.jboss\\.modcluster|org\\.redisson|org\\.apache\\.ignite)\\..*");

    /** Elements that restrict access, in any position. */
    private static final Set<String> GUARDS = Set.of(
            "Valve",
            "Realm",
            "CredentialHandler",
            "SSLHostConfig",
            "Certificate",
            "OpenSSLConf",
            "PreResources",
            "JarResources",
            "PostResources");

    /** Attributes of other elements that restrict access: a misspelt one is an error. */
    private static final Set<String> GUARDING = Set.of(
            "SSLEnabled",
            "SSLVerifyClient",
            "address",
            "allowedRequestAttributesPattern",
            "clientAuth",
            "defaultContextXml",
            "defaultWebXml",
            "deployIgnore",
            "deployXML",
            "ipv6v6only",
            "proxyProtocol",
            "proxyProtocolTrusted",
            "refuseUnknownHosts",
            "requiredSecret",
            "secret",
            "secretRequired",
            "sessionAttributeNameFilter",
            "sessionAttributeValueClassNameFilter");

    /**
     * Limits of resources that clients may use, in a suggestion: instead of a misspelt one the default would apply, which may
     * permit more than was intended.
     */
    private static final Pattern LIMIT = Pattern.compile(
            "'(max\\w*(Size|Count|Streams|StreamExecution|Connections|Requests|Sessions)"
                    + "|[\\w.]+(Timeout|WindowSize|UploadRate|DownloadRate|MaxSize))'",
            Pattern.CASE_INSENSITIVE);

    /** Further attributes without which another port would be opened, or one that protects less, or more would be deployed. */
    private static final Set<String> NEEDED = Set.of(
            "port",
            "portOffset",
            "unixDomainSocketPath",
            "unixDomainSocketPathPermissions",
            "useInheritedChannel",
            "protocol",
            "secure",
            "deployOnStartup",
            "autoDeploy",
            "xmlBase");

    /** Attributes of Tomcat 4 to 7 whose names resemble others of today. */
    private static final Set<String> OF_OLD_TOMCATS = Set.of(
            "maxSpareThreads",
            "minProcessors",
            "maxProcessors",
            "emptySessionPath",
            "strategy",
            "useURIValidationHack",
            "liveDeploy");

    private final Problems problems;

    Validator(Problems problems) {
        this.problems = problems;
    }

    void validate(ConfigElement element) {
        ElementRule rule = Vocabulary.of(element);
        if (rule == null) {
            tolerate(element);
            return;
        }
        for (XmlAttribute attribute : element.attributes()) {
            validate(attribute, rule);
        }
        for (ConfigElement child : element.children()) {
            if (!rule.children().contains(child.name())) {
                unknown(child, rule);
            } else if (child.name().equals("Valve")) {
                valve(child, rule.name().equals("Context"));
            } else {
                validate(child);
            }
        }
        if (ResourceSets.NAMES.contains(rule.name())) {
            ResourceSets.check(element, problems);
        }
        if (rule.name().equals("Manager")) {
            SessionVocabulary.check(element, problems);
        }
    }

    private void unknown(ConfigElement child, ElementRule rule) {
        String suggestion = EditDistance.suggestion(child.name(), rule.children());
        String text = "unknown element '" + child.name() + "' in " + rule.name() + suggestion;
        boolean guards = GUARDS.contains(child.name()) || isNamed(suggestion, GUARDS) || isGuard(rule);
        report(guards, child.line(), text);
    }

    private void valve(ConfigElement valve, boolean inContext) {
        String type = valve.value("className");
        ElementRule rule = Vocabulary.of(valve);
        if (type == null) {
            problems.error(valve.line(), "Valve has no className");
        } else if (rule != null && Vocabulary.isEffective(valve, inContext)) {
            validate(valve);
            HandlerValves.check(new Values(valve, rule), problems);
        } else if (ValveVocabulary.ignored(type) != null) {
            ignored(valve, " " + type, ValveVocabulary.ignored(type));
        } else if (rule != null) {
            problems.error(
                    valve.line(),
                    "Valve " + type + ": it belongs in " + (inContext ? "Engine or Host" : "Context")
                            + "; move it there");
        } else {
            ValveVocabulary.refuse(valve, problems);
        }
    }

    private void validate(XmlAttribute attribute, ElementRule element) {
        AttributeRule rule = element.attributes().get(attribute.name());
        if (rule == null && OF_OLD_TOMCATS.contains(attribute.name())) {
            problems.warning(
                    attribute.line(),
                    "the attribute '" + attribute.name() + "' on " + element.name()
                            + " is one of old Tomcats, and has no effect in Tomcat 9 either; remove it");
        } else if (rule == null) {
            String suggestion = EditDistance.suggestion(
                    attribute.name(), new TreeSet<>(element.attributes().keySet()));
            report(
                    isGuard(element)
                            || isNamed(suggestion, GUARDING)
                            || LIMIT.matcher(suggestion).find(),
                    attribute.line(),
                    "unknown attribute '" + attribute.name() + "' on " + element.name() + suggestion);
        } else if (rule.effect() == AttributeRule.Effect.NONE) { // whatever its value is
            if (!attribute.value().equalsIgnoreCase(rule.byDefault())) {
                problems.warning(
                        attribute.line(),
                        attribute.name() + " on " + element.name() + " is ignored"
                                + (rule.reason() == null ? "" : ": " + rule.reason()));
            }
        } else if (isUnset(attribute.value()) && guards(rule, element)) {
            problems.error(
                    attribute.line(),
                    attribute.name() + "=\"" + attribute.value() + "\" on " + element.name()
                            + " has no value, and without it less might be protected, or another port be opened; set it,"
                            + " or give it a default: ${name:-…}");
        } else if (isUnset(attribute.value()) && !rule.type().accepts(attribute.value())) {
            problems.warning(
                    attribute.line(),
                    attribute.name() + "=\"" + attribute.value() + "\" on " + element.name()
                            + " has no value, so it is as if it were not there"
                            + (rule.byDefault() == null ? "" : ": the default is " + rule.byDefault()));
        } else if (!rule.type().accepts(attribute.value())) {
            problems.error(
                    attribute.line(),
                    attribute.name() + "=\"" + attribute.value() + "\" on " + element.name() + ": expected "
                            + rule.type().expected() + flaw(rule, attribute.value()));
        } else if (rule.type().remark(attribute.value()) != null) {
            problems.warning(
                    attribute.line(),
                    attribute.name() + "=\"" + attribute.value() + "\" on " + element.name() + " "
                            + rule.type().remark(attribute.value()));
        }
    }

    /** Whether a placeholder is left in it. */
    private static boolean isUnset(String value) {
        int begin = value.indexOf("${");
        return begin >= 0 && value.indexOf('}', begin) > 0;
    }

    /**
     * Whether an attribute without a value may admit somebody whom its value would not, or listen elsewhere: the default of a word
     * or number, and a text in which the placeholder stays. The texts of a Realm and a Certificate admit nobody then, and a Server
     * has no port.
     */
    private static boolean guards(AttributeRule rule, ElementRule element) {
        if (rule.effect() != AttributeRule.Effect.WORKS) {
            return false;
        }
        boolean open = rule.type() == SettingType.TEXT && element.name().equals("Realm")
                || element.name().equals("Certificate")
                || element.name().equals("Server") && !rule.name().equals("portOffset");
        return !open
                && (isGuard(element)
                        || GUARDING.contains(rule.name())
                        || NEEDED.contains(rule.name())
                        || element.name().equals("Connector") && TlsVocabulary.OF_HOST.contains(rule.name())
                        || LIMIT.matcher("'" + rule.name() + "'").find());
    }

    /** What is wrong with a regular expression. */
    private static String flaw(AttributeRule rule, String value) {
        if (rule.type() == SettingType.PATTERN) {
            try {
                Pattern.compile(value);
            } catch (PatternSyntaxException e) {
                return ", found: " + e.getDescription() + " at character " + (e.getIndex() + 1);
            }
        }
        return "";
    }

    private void report(boolean error, int line, String text) {
        if (error) {
            problems.error(line, text);
        } else {
            problems.warning(line, text);
        }
    }

    private static boolean isNamed(String suggestion, Set<String> names) {
        return names.stream().anyMatch(name -> suggestion.contains("'" + name + "'"));
    }

    /** Whether all attributes of the element control access. */
    private static boolean isGuard(ElementRule rule) {
        return GUARDS.contains(rule.name()) && !Vocabulary.isOpenValve(rule);
    }

    /** Reports an element whose class Tomcat would load, unless ignoring it has no consequence. */
    private void tolerate(ConfigElement element) {
        String type = String.valueOf(element.value("className"));
        switch (element.name()) {
            case "Listener" -> listener(element, type);
            case "Realm", "CredentialHandler" -> RealmVocabulary.refuse(element, problems);
            case "OpenSSLConf" ->
                problems.error(
                        element.line(),
                        "OpenSSLConf is not supported, and may restrict access; set protocols, ciphers and"
                                + " certificateVerification on SSLHostConfig, and remove it");
            case "Resource", "ResourceLink" -> {
                if (!ContextVocabulary.isMade(element) && !ContextVocabulary.isValueLink(element)) {
                    ignored(
                            element,
                            " " + element.value("name") + " of type " + element.value("type"),
                            ContextVocabulary.instead(element));
                }
                PoolAttributes.check(element, problems);
            }
            case "GlobalNamingResources" -> {
                element.children("Resource").forEach(resource -> PoolAttributes.check(resource, problems));
                element.children().stream()
                        .filter(child -> !child.name().equals("Environment")
                                && !UsersFileSetting.isUserDatabase(child)
                                && !ContextVocabulary.isMade(child))
                        .forEach(child -> ignored(child, " " + child.value("name"), ContextVocabulary.instead(child)));
            }
            case "Transaction" -> {
                if (element.value("factory") == null || !ContextVocabulary.isMade(element)) {
                    ignored(element, "", ContextVocabulary.instead(element));
                }
            }
            case "Cluster" -> cluster(element);
            case "UpgradeProtocol" -> ignored(element, " " + type, "clients use HTTP/1.1 instead");
            default -> {
                if (!ContextVocabulary.OF_TEXT.contains(element.name())) {
                    ignored(element, "", ContextVocabulary.instead(element));
                }
            }
        }
    }

    private void cluster(ConfigElement cluster) {
        ignored(cluster, "", "sessions are not replicated; use sticky sessions in the load balancer (jvmRoute)");
        cluster.children("Valve").stream()
                .filter(valve -> ValveVocabulary.ignored(String.valueOf(valve.value("className"))) == null)
                .forEach(valve -> ValveVocabulary.refuse(valve, problems));
    }

    private void listener(ConfigElement listener, String type) {
        String simpleType = type.substring(type.lastIndexOf('.') + 1);
        String fips = listener.value("FIPSMode");
        if (fips != null && !fips.strip().equalsIgnoreCase("off")) {
            problems.error(
                    listener.line(),
                    "FIPSMode=\"" + fips
                            + "\" on Listener: it is not enforced here; configure a JDK or an OpenSSL that has"
                            + " only FIPS algorithms, and remove the attribute");
        } else if (type.equals("org.apache.catalina.security.SecurityListener")) {
            SecurityListener.ofProcess(listener, problems).check();
        } else if (REPLICATION.matcher(type).matches()) {
            ignored(
                    listener,
                    " " + type,
                    "its class is not loaded, so sessions are not shared with other servers, and no balancer learns of this"
                            + " one: use a PersistentManager with a Store in a database, and sticky sessions (jvmRoute)");
        } else if (!MOOT_LISTENERS.contains(simpleType)) {
            ignored(
                    listener,
                    " " + type,
                    "its class is not loaded; use a ServletContextListener of an application instead");
        }
    }

    private void ignored(ConfigElement element, String what, @Nullable String reason) {
        problems.warning(element.line(), element.name() + what + " is ignored" + (reason == null ? "" : ": " + reason));
    }
}
