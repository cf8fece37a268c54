package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.only;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.servlet.settings.ContextOptions;
import io.millrace.settings.SettingType;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The elements of Tomcat 9's server.xml that are supported. */
final class Vocabulary {

    private static final ElementRule SERVER = ElementRule.of(
            "Server",
            List.of(
                    works("port", number(-1, 65535), "-1"),
                    works("shutdown", TEXT, "SHUTDOWN"),
                    works("address", TEXT, null),
                    works("portOffset", number(0, 65535), "0"),
                    none("utilityThreads", number(Integer.MIN_VALUE, Integer.MAX_VALUE)),
                    AttributeRule.moot("utilityThreadsAsDaemon"),
                    AttributeRule.moot("periodicEventDelay"),
                    AttributeRule.className("org.apache.catalina.core.StandardServer")),
            "Service",
            "Listener",
            "GlobalNamingResources");

    private static final ElementRule SERVICE = ElementRule.of(
            "Service",
            List.of(
                    works("name", TEXT, "Millrace"),
                    works("gracefulStopAwaitMillis", number(0, Integer.MAX_VALUE), "30000"),
                    works("gracefulStopDelayMillis", number(0, Integer.MAX_VALUE), "0"),
                    AttributeRule.className("org.apache.catalina.core.StandardService")),
            "Connector",
            "Executor",
            "Engine",
            "Listener");

    private static final ElementRule EXECUTOR = ElementRule.of(
            "Executor",
            List.of(
                    works("name", TEXT, null),
                    works("maxThreads", number(1, Integer.MAX_VALUE), "200"),
                    works("minSpareThreads", number(0, Integer.MAX_VALUE), "25"),
                    works("namePrefix", TEXT, "tomcat-exec-"),
                    works("className", TEXT, ThreadPools.STANDARD),
                    works("maxIdleTime", number(1, Integer.MAX_VALUE), "60000"),
                    works("maxQueueSize", number(0, Integer.MAX_VALUE), String.valueOf(Integer.MAX_VALUE)),
                    none("daemon", BOOLEAN, "true", "idle worker threads never keep the process alive"),
                    none("prestartminSpareThreads", BOOLEAN, "false", "threads are started on demand"),
                    none("threadPriority", number(1, 10), "5", "all threads have the normal priority"),
                    AttributeRule.moot("threadRenewalDelay")));

    private static final ElementRule CONNECTOR =
            ElementRule.of("Connector", ConnectorVocabulary.rules(), "SSLHostConfig", "UpgradeProtocol");

    private static final ElementRule AJP_CONNECTOR =
            ElementRule.of("Connector", AjpVocabulary.rules(), "SSLHostConfig");

    private static final ElementRule ENGINE = ElementRule.of(
            "Engine",
            List.of(
                    works("name", TEXT, null),
                    works("defaultHost", TEXT, "localhost"),
                    AttributeRule.of(ContextOptions.JVM_ROUTE),
                    none("backgroundProcessorDelay", number(-1, Integer.MAX_VALUE)),
                    none("startStopThreads", number(Integer.MIN_VALUE, Integer.MAX_VALUE)),
                    only(
                            "className",
                            "org.apache.catalina.core.StandardEngine",
                            "custom classes are not loaded, and it might restrict access; remove it")),
            "Host",
            "Realm",
            "Valve",
            "Cluster",
            "Listener");

    private static final ElementRule HOST = ElementRule.of(
            "Host",
            List.of(
                    works("name", TEXT, "localhost"),
                    works("appBase", TEXT, "webapps"),
                    works("deployOnStartup", BOOLEAN, "true"),
                    works("autoDeploy", BOOLEAN, "true"),
                    AttributeRule.moot("unpackWARs"),
                    only(
                            "className",
                            "org.apache.catalina.core.StandardHost",
                            "custom classes are not loaded, and it might restrict access; remove it"),
                    works("backgroundProcessorDelay", number(-1, Integer.MAX_VALUE), "-1"),
                    none("copyXML", BOOLEAN),
                    none("createDirs", BOOLEAN),
                    only(
                            "configClass",
                            "org.apache.catalina.startup.ContextConfig",
                            "custom classes are not loaded, and it might add constraints; remove it"),
                    only(
                            "contextClass",
                            "org.apache.catalina.core.StandardContext",
                            "custom classes are not loaded, and it might restrict access; remove it"),
                    works("deployIgnore", PATTERN, null),
                    works("deployXML", BOOLEAN, "true"),
                    none(
                            "errorReportValveClass",
                            TEXT,
                            "org.apache.catalina.valves.ErrorReportValve",
                            "write ErrorReportValve or JsonErrorReportValve as a Valve in the Host"),
                    none("failCtxIfServletStartFails", BOOLEAN),
                    none("startStopThreads", number(Integer.MIN_VALUE, Integer.MAX_VALUE)),
                    works("listApplications", BOOLEAN, "false"),
                    works("undeployOldVersions", BOOLEAN, "false"),
                    works("workDir", TEXT, null),
                    works("xmlBase", TEXT, null)),
            "Alias",
            "Context",
            "Proxy",
            "Valve",
            "Realm",
            "Cluster",
            "Listener");

    private static final ElementRule ALIAS = ElementRule.of("Alias", List.of());

    /** A Valve of class HealthCheckValve. */
    private static final ElementRule HEALTH_CHECK = ElementRule.of(
            "Valve",
            List.of(
                    works("className", TEXT, null),
                    works(
                            "path",
                            SettingType.text("a path that begins with a slash", path -> path.startsWith("/")),
                            "/health"),
                    works("checkContainersAvailable", BOOLEAN, "true"),
                    AttributeRule.moot("asyncSupported")));

    private static final Map<String, ElementRule> ELEMENTS = Stream.of(
                    SERVER,
                    SERVICE,
                    EXECUTOR,
                    CONNECTOR,
                    TlsVocabulary.SSL_HOST_CONFIG,
                    TlsVocabulary.CERTIFICATE,
                    ENGINE,
                    HOST,
                    ALIAS,
                    ProxyVocabulary.PROXY,
                    ContextVocabulary.CONTEXT,
                    ContextVocabulary.MANAGER,
                    ContextVocabulary.SESSION_ID_GENERATOR,
                    ContextVocabulary.COOKIE_PROCESSOR,
                    ContextVocabulary.LOADER,
                    ContextVocabulary.RESOURCES,
                    JarScanners.SCANNER,
                    JarScanners.FILTER,
                    ContextVocabulary.PARAMETER,
                    ContextVocabulary.ENVIRONMENT)
            .collect(Collectors.toMap(ElementRule::name, Function.identity()));

    private Vocabulary() {}

    /** The rule of an element; null if its attributes depend on its class. */
    static @Nullable ElementRule of(ConfigElement element) {
        ElementRule resources = ResourceSets.of(element);
        if (resources != null) {
            return resources;
        }
        ElementRule handler = HandlerValves.of(element);
        if (handler != null) {
            return handler;
        }
        if (element.name().equals("Connector") && Protocols.isAjp(element.value("protocol"))) {
            return AJP_CONNECTOR;
        }
        if (element.name().equals("Connector") && SpdyVocabulary.connector(element) != null) {
            return SpdyVocabulary.connector(element);
        }
        if (Http2Vocabulary.isOne(element)) {
            return Http2Vocabulary.UPGRADE_PROTOCOL;
        }
        if (SpdyVocabulary.isOne(element)) {
            return SpdyVocabulary.UPGRADE_PROTOCOL;
        }
        if (isHealthCheck(element)) {
            return HEALTH_CHECK;
        }
        ElementRule store = SessionVocabulary.store(element);
        if (store != null) {
            return store;
        }
        if (SessionValves.of(element) != null) {
            return SessionValves.of(element);
        }
        if (SingleSignOnValves.of(element) != null) {
            return SingleSignOnValves.of(element);
        }
        if (AuthenticatorVocabulary.isOne(element)) {
            return AuthenticatorVocabulary.of(element);
        }
        if (RealmVocabulary.isOne(element)) {
            return RealmVocabulary.of(element);
        }
        return AccessLogValves.isOne(element) ? AccessLogValves.RULE : ELEMENTS.get(element.name());
    }

    /** Whether a Valve is supported in a Context, or else in Engine and Host. */
    static boolean isEffective(ConfigElement valve, boolean inContext) {
        boolean authenticator = AuthenticatorVocabulary.isOne(valve);
        return inContext
                ? authenticator
                        || SessionValves.of(valve) != null
                        || isHealthCheck(valve)
                        || HandlerValves.of(valve) != null
                        || AccessLogValves.isOne(valve)
                : !authenticator;
    }

    /** Whether a Valve does not restrict access. */
    static boolean isOpenValve(ElementRule rule) {
        return HandlerValves.isOpen(rule)
                || SessionValves.isRule(rule)
                || rule.equals(AccessLogValves.RULE)
                || rule.equals(HEALTH_CHECK);
    }

    static boolean isHealthCheck(ConfigElement element) {
        return element.name().equals("Valve")
                && "org.apache.catalina.valves.HealthCheckValve".equals(element.value("className"));
    }
}
