package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.servlet.deploy.JarFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tomcat's JarScanner and the JarScanFilter in it: which libraries of an application are scanned. */
final class JarScanners {

    private static final String OWN_CLASS =
            "custom classes are not loaded; set pluggabilitySkip and tldSkip on a JarScanFilter to skip jars";

    static final ElementRule SCANNER = ElementRule.of(
            "JarScanner",
            List.of(
                    none("className", TEXT, "org.apache.tomcat.util.scan.StandardJarScanner", OWN_CLASS),
                    moot("scanAllDirectories"),
                    moot("scanAllFiles"),
                    moot("scanBootstrapClassPath"),
                    moot("scanClassPath"),
                    moot("scanManifest")),
            "JarScanFilter");

    static final ElementRule FILTER = ElementRule.of(
            "JarScanFilter",
            List.of(
                    none("className", TEXT, "org.apache.tomcat.util.scan.StandardJarScanFilter", OWN_CLASS),
                    works("defaultPluggabilityScan", BOOLEAN, "true"),
                    works("defaultTldScan", BOOLEAN, "true"),
                    works("pluggabilityScan", TEXT, ""),
                    works("pluggabilitySkip", TEXT, ""),
                    works("tldScan", TEXT, ""),
                    works("tldSkip", TEXT, "")));

    private JarScanners() {}

    static JarFilter in(@Nullable ConfigElement scanner) {
        List<ConfigElement> filters = scanner == null ? List.of() : scanner.children("JarScanFilter");
        if (filters.isEmpty()) {
            return JarFilter.ALL;
        }
        Values filter = new Values(filters.get(filters.size() - 1), FILTER);
        return new JarFilter(
                JarFilter.names(
                        filter.flag("defaultPluggabilityScan"),
                        filter.text("pluggabilityScan", ""),
                        filter.text("pluggabilitySkip", "")),
                JarFilter.names(filter.flag("defaultTldScan"), filter.text("tldScan", ""), filter.text("tldSkip", "")));
    }
}
