package io.millrace.standalone.config.context;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.IgnoredKind;
import io.millrace.standalone.config.schema.TomcatAttributes;
import java.util.ArrayList;
import java.util.List;

/** Tomcat 9's Context element, and the simple ones in it. */
public final class ContextKinds {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The context path, in server.xml. */
    public static final Setting<String> PATH = GROUP.optional("path", TEXT);

    /** The WAR or directory. */
    public static final Setting<String> DOC_BASE = GROUP.optional("docBase", TEXT);

    /** Whether it hides the Context elements of conf/context.xml and of the host. */
    public static final Setting<Boolean> OVERRIDE = GROUP.add("override", BOOLEAN, false);

    /** In minutes; web.xml takes precedence. */
    public static final Setting<Integer> SESSION_TIMEOUT =
            GROUP.optional("sessionTimeout", number(Integer.MIN_VALUE, Integer.MAX_VALUE));

    /** Whether the application may have servlets of the container, which administer the server. */
    public static final Setting<Boolean> PRIVILEGED = GROUP.add("privileged", BOOLEAN, false);

    /** Whether changed classes restart the application. */
    public static final Setting<Boolean> RELOADABLE = GROUP.add("reloadable", BOOLEAN, false);

    /** The work directory. */
    public static final Setting<String> WORK_DIR = GROUP.optional("workDir", TEXT);

    /** Context. */
    public static final Element.Kind CONTEXT = new Element.Kind(
            "Context",
            Attribute.all(
                    Attribute.of(GROUP.settings()),
                    Attribute.of(ContextOptions.ofContext()),
                    Attribute.of(SessionSettings.ofContext()),
                    TomcatAttributes.of("Context")),
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
            "Rules",
            "Transaction",
            "Valve",
            "WatchedResource",
            "WrapperLifecycle",
            "WrapperListener");

    /** CookieProcessor. */
    public static final Element.Kind COOKIE_PROCESSOR = new Element.Kind(
            "CookieProcessor",
            Attribute.all(
                    Attribute.of(List.of(ContextOptions.SAME_SITE_COOKIES)),
                    List.of(Attribute.className(
                            "org.apache.tomcat.util.http.Rfc6265CookieProcessor",
                            "org.apache.tomcat.util.http.LegacyCookieProcessor")),
                    TomcatAttributes.of("CookieProcessor")));

    /** Loader. */
    public static final Element.Kind LOADER = new Element.Kind(
            "Loader",
            Attribute.all(
                    Attribute.of(List.of(ContextOptions.DELEGATE)),
                    List.of(Attribute.className("org.apache.catalina.loader.WebappLoader")),
                    TomcatAttributes.of("Loader")));

    private ContextKinds() {}

    /** All kinds of this package. */
    public static List<Element.Kind> kinds() {
        List<Element.Kind> kinds = new ArrayList<>(List.of(
                CONTEXT,
                COOKIE_PROCESSOR,
                LOADER,
                new Element.Kind("WatchedResource"),
                IgnoredKind.of("WrapperLifecycle", null),
                IgnoredKind.of("WrapperListener", null)));
        kinds.addAll(SessionKinds.kinds());
        kinds.addAll(ApplicationFiles.kinds());
        kinds.addAll(JarScanners.kinds());
        return kinds;
    }
}
