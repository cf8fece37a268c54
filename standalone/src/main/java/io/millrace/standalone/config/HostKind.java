package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import java.util.regex.Pattern;

/** Tomcat 9's Host element. */
public final class HostKind {

    private static final SettingGroup GROUP = new SettingGroup();

    static final Setting<String> NAME = GROUP.add("name", TEXT, "localhost");

    /** The directory whose applications are deployed. */
    public static final Setting<String> APP_BASE = GROUP.add("appBase", TEXT, "webapps");

    /** Whether the applications in appBase and conf/Catalina are deployed at the start. */
    public static final Setting<Boolean> DEPLOY_ON_STARTUP = GROUP.add("deployOnStartup", BOOLEAN, true);

    /** Whether their changes are. */
    public static final Setting<Boolean> AUTO_DEPLOY = GROUP.add("autoDeploy", BOOLEAN, true);

    /** Seconds between looks for changes; the usual ones if it is not positive. */
    public static final Setting<Integer> BACKGROUND_PROCESSOR_DELAY =
            GROUP.add("backgroundProcessorDelay", number(-1, Integer.MAX_VALUE), -1);

    /** The names in appBase that are not deployed. */
    public static final Setting<Pattern> DEPLOY_IGNORE = GROUP.optional("deployIgnore", PATTERN);

    static final Setting<Boolean> DEPLOY_XML = GROUP.add("deployXML", BOOLEAN, true);

    /** Whether the applications are listed at the root. */
    public static final Setting<Boolean> LIST_APPLICATIONS = GROUP.add("listApplications", BOOLEAN, false);

    /** Whether a version of an application ends when it has no session. */
    public static final Setting<Boolean> UNDEPLOY_OLD_VERSIONS = GROUP.add("undeployOldVersions", BOOLEAN, false);

    /** The directory of work directories; without it one in work. */
    public static final Setting<String> WORK_DIR = GROUP.optional("workDir", TEXT);

    static final Setting<String> XML_BASE = GROUP.optional("xmlBase", TEXT);

    static final Element.Kind KIND = new Element.Kind(
            "Host",
            Attribute.all(Attribute.of(GROUP.settings()), TomcatAttributes.of("Host")),
            "Alias",
            "Context",
            "Proxy",
            "Valve",
            "Realm",
            RulesKind.NAME,
            "Cluster",
            "Listener");

    private HostKind() {}
}
