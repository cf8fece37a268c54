package io.millrace.servlet.settings;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.constant;

import io.millrace.files.SymbolicLinks;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import java.util.List;

/**
 * What the operator says about one application, with the names and defaults of Tomcat's Context and of the elements in it:
 * {@code WebApplication.war(file).with(CROSS_CONTEXT, true)}.
 */
public final class ContextOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /**
     * {@code ServletContext.getContext} gives it the other applications of its host, so that it can forward requests to them and
     * include what they answer.
     */
    public static final Setting<Boolean> CROSS_CONTEXT = GROUP.add("crossContext", BOOLEAN, false);

    /** A WAR's classes are looked for in the parent class loader first, other than the specification asks. Of Loader. */
    public static final Setting<Boolean> DELEGATE = GROUP.add("delegate", BOOLEAN, false);

    /** Where symbolic links among its files may lead; {@code true} in server.xml is anywhere. Of Resources. */
    public static final Setting<SymbolicLinks> ALLOW_LINKING = GROUP.add(
            "allowLinking",
            constant(SymbolicLinks.class)
                    .readFrom(BOOLEAN, allowed -> allowed ? SymbolicLinks.FOLLOWED : SymbolicLinks.INSIDE),
            SymbolicLinks.INSIDE,
            "false");

    /** The SameSite attribute of all its cookies. Of CookieProcessor. */
    public static final Setting<SameSite> SAME_SITE_COOKIES =
            GROUP.add("sameSiteCookies", constant(SameSite.class), SameSite.UNSET);

    /** Appended to session ids after a dot, for load balancers; empty: nothing. Of Engine. */
    public static final Setting<String> JVM_ROUTE = GROUP.add("jvmRoute", TEXT, "", null);

    private ContextOptions() {}

    /** The settings declared here. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }
}
