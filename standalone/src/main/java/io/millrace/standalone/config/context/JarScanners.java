package io.millrace.standalone.config.context;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;

import io.millrace.servlet.deploy.JarFilter;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tomcat's JarScanner and the JarScanFilter in it: which libraries of an application are scanned. */
public final class JarScanners {

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<Boolean> DEFAULT_PLUGGABILITY = GROUP.add("defaultPluggabilityScan", BOOLEAN, true);
    private static final Setting<Boolean> DEFAULT_TLD = GROUP.add("defaultTldScan", BOOLEAN, true);
    private static final Setting<String> PLUGGABILITY_SCAN = GROUP.add("pluggabilityScan", TEXT, "");
    private static final Setting<String> PLUGGABILITY_SKIP = GROUP.add("pluggabilitySkip", TEXT, "");
    private static final Setting<String> TLD_SCAN = GROUP.add("tldScan", TEXT, "");
    private static final Setting<String> TLD_SKIP = GROUP.add("tldSkip", TEXT, "");

    private JarScanners() {}

    static List<Element.Kind> kinds() {
        return List.of(
                new Element.Kind("JarScanner", TomcatAttributes.of("JarScanner"), "JarScanFilter"),
                new Element.Kind(
                        "JarScanFilter",
                        Attribute.all(Attribute.of(GROUP.settings()), TomcatAttributes.of("JarScanFilter"))));
    }

    /** The libraries to scan. */
    public static JarFilter in(@Nullable Element scanner) {
        List<Element> filters = scanner == null ? List.of() : scanner.children("JarScanFilter");
        if (filters.isEmpty()) {
            return JarFilter.ALL;
        }
        Element filter = filters.get(filters.size() - 1);
        return new JarFilter(
                JarFilter.names(
                        filter.get(DEFAULT_PLUGGABILITY), filter.get(PLUGGABILITY_SCAN), filter.get(PLUGGABILITY_SKIP)),
                JarFilter.names(filter.get(DEFAULT_TLD), filter.get(TLD_SCAN), filter.get(TLD_SKIP)));
    }
}
