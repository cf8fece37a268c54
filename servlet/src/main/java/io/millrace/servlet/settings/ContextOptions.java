package io.millrace.servlet.settings;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.constant;

import io.millrace.files.SymbolicLinks;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import java.util.List;

/**
 * The operator's settings of one application, with the names and defaults of Tomcat's Context and its nested elements:
 * {@code WebApplication.war(file).with(CROSS_CONTEXT, true)}.
 */
public final class ContextOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /**
     * Lets {@code ServletContext.getContext} return the other applications of the host, so that the application can dispatch
     * requests to them.
     */
    public static final Setting<Boolean> CROSS_CONTEXT = GROUP.add("crossContext", BOOLEAN, false);

    /**
     * {@code sendRedirect} sends relative locations as they are, to clients of HTTP/1.1 and later; otherwise they are made absolute,
     * from the Host field of the request.
     */
    public static final Setting<Boolean> USE_RELATIVE_REDIRECTS = GROUP.add("useRelativeRedirects", BOOLEAN, true);

    /**
     * Multipart bodies are parsed for servlets without a multipart-config too; the connector's {@code maxPostSize} limits their size.
     */
    public static final Setting<Boolean> ALLOW_CASUAL_MULTIPART_PARSING =
            GROUP.add("allowCasualMultipartParsing", BOOLEAN, false);

    /** Searches the parent class loader before a WAR's own classes, unlike specified. Of Loader. */
    public static final Setting<Boolean> DELEGATE = GROUP.add("delegate", BOOLEAN, false);

    /** The permitted targets of symbolic links among its files; {@code true} in server.xml permits all. Of Resources. */
    public static final Setting<SymbolicLinks> ALLOW_LINKING = GROUP.add(
            "allowLinking",
            constant(SymbolicLinks.class)
                    .readFrom(BOOLEAN, allowed -> allowed ? SymbolicLinks.FOLLOWED : SymbolicLinks.INSIDE),
            SymbolicLinks.INSIDE,
            "false");

    /** The SameSite attribute of all its cookies. Of CookieProcessor. */
    public static final Setting<SameSite> SAME_SITE_COOKIES =
            GROUP.add("sameSiteCookies", constant(SameSite.class), SameSite.UNSET);

    /** Appended to session ids after a dot, for load balancers; empty for none. Of Engine. */
    public static final Setting<String> JVM_ROUTE = GROUP.add("jvmRoute", TEXT, "", null);

    private ContextOptions() {}

    /** Those that are attributes of the Context element itself. */
    public static List<Setting<?>> ofContext() {
        return List.of(CROSS_CONTEXT, USE_RELATIVE_REDIRECTS, ALLOW_CASUAL_MULTIPART_PARSING);
    }

    /** The settings declared here. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }
}
