package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.standalone.config.AttributeRule.alias;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.only;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.settings.SettingType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tomcat 9's Context element and its children. */
final class ContextVocabulary {

    static final String FILE_STORE = "org.apache.catalina.session.FileStore";

    private static final SettingType<?> ANY_NUMBER = number(Integer.MIN_VALUE, Integer.MAX_VALUE);
    private static final SettingType<?> SIZE = number(0, Integer.MAX_VALUE);
    private static final SettingType<?> LIMIT = number(-1, Integer.MAX_VALUE);

    static final ElementRule CONTEXT = ElementRule.of(
            "Context",
            Stream.of(
                            Stream.of(
                                    works("path", TEXT, null),
                                    works("docBase", TEXT, null),
                                    works("override", BOOLEAN, "false"),
                                    works("sessionTimeout", ANY_NUMBER, null),
                                    none(
                                            "reloadable",
                                            BOOLEAN,
                                            "false",
                                            "the application is redeployed when its WAR is replaced, not when a class changes"),
                                    works("privileged", BOOLEAN, "false"),
                                    none("swallowOutput", BOOLEAN, "false", "System.out is written to stdout"),
                                    none("antiResourceLocking", BOOLEAN, "false", "files of a WAR are not locked"),
                                    none("useNaming", BOOLEAN, "true", "java:comp/env is always available"),
                                    none("usePartitioned", BOOLEAN, "false", "cookies are not partitioned"),
                                    none("unpackWAR", BOOLEAN, "true", "WARs are always unpacked"),
                                    none(
                                            "preemptiveAuthentication",
                                            BOOLEAN,
                                            "false",
                                            "credentials are verified only where a constraint requires them"),
                                    none("xmlBlockExternal", BOOLEAN, "true", "external entities are never read"),
                                    only(
                                            "altDDName",
                                            "",
                                            "constraints are those of WEB-INF/web.xml; put the file there"),
                                    only(
                                            "defaultWebXml",
                                            "",
                                            "its constraints would have no effect; default descriptors are conf/web.xml, and"
                                                    + " web.xml.default beside the host's Context files"),
                                    only(
                                            "defaultContextXml",
                                            "",
                                            "its Valves would have no effect; default Contexts are conf/context.xml, and"
                                                    + " context.xml.default beside the host's Context files"),
                                    none("delegate", BOOLEAN, "false", "set it on a Loader in the Context"),
                                    none("requestCharacterEncoding", TEXT, "", "set it in web.xml"),
                                    none("responseCharacterEncoding", TEXT, "", "set it in web.xml"),
                                    none("ignoreAnnotations", BOOLEAN, "false", "annotations are always processed"),
                                    only(
                                            "denyUncoveredHttpMethods",
                                            "false",
                                            "set deny-uncovered-http-methods in web.xml"),
                                    only(
                                            "sessionCookiePathUsesTrailingSlash",
                                            "false",
                                            "set sessionCookiePath with a slash at its end"),
                                    works("workDir", TEXT, null),
                                    only(
                                            "wrapperClass",
                                            "org.apache.catalina.core.StandardWrapper",
                                            "custom classes are not loaded; write it as a Filter"),
                                    only(
                                            "className",
                                            "org.apache.catalina.core.StandardContext",
                                            "custom classes are not loaded, and it might restrict access; remove it")),
                            AttributeRule.of(ContextOptions.ofContext()).stream(),
                            AttributeRule.of(SessionSettings.ofContext()).stream(),
                            Stream.of(
                                            "displayName",
                                            "clearReferencesHttpClientKeepAliveThread",
                                            "clearReferencesObjectStreamClassCaches",
                                            "clearReferencesRmiTargets",
                                            "clearReferencesStopThreads",
                                            "clearReferencesStopTimerThreads",
                                            "clearReferencesThreadLocals",
                                            "notFoundClassResourceCacheSize",
                                            "renewThreadsWhenStoppingContext",
                                            "skipMemoryLeakChecksOnJvmShutdown",
                                            "startStopThreads",
                                            "unloadDelay",
                                            "useBloomFilterForArchives",
                                            "backgroundProcessorDelay")
                                    .map(AttributeRule::moot),
                            Stream.of(
                                            "addWebinfClassesResources",
                                            "allowMultipleLeadingForwardSlashInPath",
                                            "charsetMapperClass",
                                            "containerSciFilter",
                                            "copyXML",
                                            "createUploadTargets",
                                            "dispatchersUseEncodedPaths",
                                            "distributable",
                                            "failCtxIfServletStartFails",
                                            "fireRequestListenersOnForwards",
                                            "jndiExceptionOnFailedWrite",
                                            "logEffectiveWebXml",
                                            "mapperContextRootRedirectEnabled",
                                            "mapperDirectoryRedirectEnabled",
                                            "parallelAnnotationScanning",
                                            "replaceWelcomeFiles",
                                            "resourceOnlyServlets",
                                            "sendRedirectBody",
                                            "swallowAbortedUploads",
                                            "tldValidation",
                                            "validateClientProvidedNewSessionId",
                                            "webappVersion",
                                            "xmlNamespaceAware",
                                            "xmlValidation")
                                    .map(name -> none(name, TEXT)))
                    .flatMap(rules -> rules)
                    .toList(),
            "CookieProcessor",
            "Environment",
            "JarScanner",
            "Listener",
            "Loader",
            "Manager",
            "Parameter",
            "Realm",
            "Resource",
            "ResourceEnvRef",
            "ResourceLink",
            "Resources",
            "Transaction",
            "Valve",
            "WatchedResource",
            "WrapperLifecycle",
            "WrapperListener");

    static final ElementRule MANAGER = ElementRule.of(
            "Manager",
            Stream.of(
                            AttributeRule.of(SessionSettings.ofManager()),
                            List.of(
                                    works("className", TEXT, "org.apache.catalina.session.StandardManager"),
                                    works("pathname", TEXT, "SESSIONS.ser"),
                                    none(
                                            "saveOnRestart",
                                            BOOLEAN,
                                            "true",
                                            "set pathname=\"\" on a StandardManager to end sessions at a restart"),
                                    moot("warnOnSessionAttributeFilterFailure"),
                                    none(
                                            "maxInactiveInterval",
                                            ANY_NUMBER,
                                            "",
                                            "set session-timeout in web.xml, or sessionTimeout on Context"),
                                    none(
                                            "minIdleSwap",
                                            LIMIT,
                                            "-1",
                                            "only maxIdleSwap determines when a session is passivated"),
                                    none(
                                            "notifyAttributeListenerOnUnchangedValue",
                                            BOOLEAN,
                                            "true",
                                            "listeners are always notified"),
                                    none(
                                            "notifyBindingListenerOnUnchangedValue",
                                            BOOLEAN,
                                            "false",
                                            "they are never notified"),
                                    none("persistAuthenticationNotes", BOOLEAN, "false", "a FORM login starts again"),
                                    none("notifyListenersOnReplication", BOOLEAN),
                                    none("distributable", BOOLEAN),
                                    moot("secureRandomClass"),
                                    moot("secureRandomAlgorithm"),
                                    moot("secureRandomProvider"),
                                    moot("processExpiresFrequency"),
                                    moot("name")))
                    .flatMap(List::stream)
                    .toList(),
            "Store",
            "SessionIdGenerator");

    static final ElementRule STORE = ElementRule.of(
            "Store",
            List.of(
                    works("className", TEXT, FILE_STORE),
                    works("directory", TEXT, "sessions"),
                    none("checkInterval", LIMIT)));

    static final ElementRule SESSION_ID_GENERATOR = ElementRule.of(
            "SessionIdGenerator",
            List.of(
                    alias("sessionIdLength", SessionSettings.SESSION_ID_LENGTH),
                    moot("jvmRoute"), // Engine's takes precedence in Tomcat
                    AttributeRule.className("org.apache.catalina.util.StandardSessionIdGenerator"),
                    moot("secureRandomClass"),
                    moot("secureRandomAlgorithm"),
                    moot("secureRandomProvider")));

    static final ElementRule COOKIE_PROCESSOR = ElementRule.of(
            "CookieProcessor",
            List.of(
                    AttributeRule.of(ContextOptions.SAME_SITE_COOKIES),
                    AttributeRule.className(
                            "org.apache.tomcat.util.http.Rfc6265CookieProcessor",
                            "org.apache.tomcat.util.http.LegacyCookieProcessor"),
                    none("partitioned", BOOLEAN, "false", "cookies are not partitioned"),
                    none("cookiesWithoutEquals", TEXT, "ignore", "cookies without an equals sign are ignored"),
                    moot("allowEqualsInValue"),
                    moot("allowHttpSepsInV0"),
                    moot("allowNameOnly"),
                    moot("alwaysAddExpires"),
                    moot("forwardSlashIsSeparator")));

    static final ElementRule LOADER = ElementRule.of(
            "Loader",
            List.of(
                    AttributeRule.of(ContextOptions.DELEGATE),
                    none("reloadable", BOOLEAN, "false", "see reloadable on Context"),
                    none(
                            "loaderClass",
                            TEXT,
                            "org.apache.catalina.loader.ParallelWebappClassLoader",
                            "custom classes are not loaded"),
                    AttributeRule.className("org.apache.catalina.loader.WebappLoader"),
                    moot("jakartaConverter")));

    static final ElementRule RESOURCES = ElementRule.of(
            "Resources",
            List.of(
                    AttributeRule.of(ContextOptions.ALLOW_LINKING),
                    works("cachingAllowed", BOOLEAN, "true"),
                    works("cacheMaxSize", SIZE, null),
                    works("cacheObjectMaxSize", SIZE, null),
                    works("cacheTtl", SIZE, null),
                    AttributeRule.className(
                            "org.apache.catalina.webresources.StandardRoot",
                            "org.apache.catalina.webresources.ExtractingRoot"),
                    moot("archiveIndexStrategy"),
                    moot("trackLockedFiles")),
            "PreResources",
            "JarResources",
            "PostResources",
            "CacheStrategy");

    static final ElementRule PARAMETER = ElementRule.of(
            "Parameter",
            List.of(
                    works("name", TEXT, null),
                    works("value", TEXT, null),
                    works("override", BOOLEAN, "true"),
                    moot("description")));

    static final ElementRule ENVIRONMENT = ElementRule.of(
            "Environment",
            List.of(
                    works("name", TEXT, null),
                    works("type", TEXT, null),
                    works("value", TEXT, null),
                    works("override", BOOLEAN, "true"),
                    moot("description")));

    /** Elements with text and no attributes. */
    static final Set<String> OF_TEXT = Set.of("WatchedResource");

    /** Advice for elements without effect. */
    private static final Map<String, String> INSTEAD = Map.of(
            "Transaction",
                    "there is no built-in transaction manager; name the factory of one in lib or in the application",
            "ResourceEnvRef", "use a Resource with a factory in the application");

    private ContextVocabulary() {}

    /** Advice for an element without effect; null if there is none. */
    static @Nullable String instead(ConfigElement element) {
        String advice = TomcatFactories.advice(element.value("factory"));
        return advice == null ? INSTEAD.get(element.name()) : advice;
    }

    /** Whether it is a link to an Environment, whose type is in java.lang. */
    static boolean isValueLink(ConfigElement element) {
        String type = element.value("type");
        return element.name().equals("ResourceLink") && (type == null || type.startsWith("java.lang."));
    }

    /** Whether it is a supported Resource, or a link to one. */
    static boolean isMade(ConfigElement resource) {
        return TomcatFactories.isMade(resource.value("type"), resource.value("factory"));
    }
}
