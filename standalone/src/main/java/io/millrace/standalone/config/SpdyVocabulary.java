package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.settings.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The attributes of SPDY, on a Connector for SPDY only, and on an UpgradeProtocol that adds it to an HTTP connector. */
final class SpdyVocabulary {

    private static final String NAME = "spdy";
    private static final String CLASS_NAME = "io.millrace.connector.spdy.SpdyProtocol";
    private static final String VERSION = "version";

    static final ElementRule UPGRADE_PROTOCOL = ElementRule.of(
            "UpgradeProtocol",
            Stream.of(
                            List.of(works("className", TEXT, null)),
                            Http2Vocabulary.OF_CONNECTOR,
                            AttributeRule.of(Protocols.settings(NAME)))
                    .flatMap(List::stream)
                    .toList());

    private static final Map<String, ElementRule> CONNECTORS =
            Map.of("SPDY/3.1", connector("3.1"), "SPDY/3", connector("3"));

    private SpdyVocabulary() {}

    private static ElementRule connector(String version) {
        Map<String, AttributeRule> rules = new LinkedHashMap<>();
        ConnectorVocabulary.rules().forEach(rule -> rules.put(rule.name(), rule));
        for (Setting<?> setting : Protocols.settings(NAME)) {
            boolean isVersion = setting.name().equals(VERSION);
            rules.put(setting.name(), isVersion ? AttributeRule.of(setting, version) : AttributeRule.of(setting));
        }
        return ElementRule.of("Connector", List.copyOf(rules.values()), "SSLHostConfig");
    }

    /** Whether this element adds SPDY. */
    static boolean isOne(ConfigElement element) {
        return element.name().equals("UpgradeProtocol") && CLASS_NAME.equals(element.value("className"));
    }

    /** The rule of a Connector of this protocol; null if it is not SPDY. */
    static @Nullable ElementRule connector(ConfigElement element) {
        String protocol = element.value("protocol");
        return protocol == null ? null : CONNECTORS.get(protocol);
    }

    /** Whether it selects SPDY only. */
    static boolean isSpdy(@Nullable String protocol) {
        return protocol != null && CONNECTORS.containsKey(protocol);
    }

    /** Without the module, the port would be one for HTTP. */
    static void check(Values connector, Problems problems) {
        if (isSpdy(connector.text("protocol")) && !connector.has(VERSION)) {
            problems.error(connector.line("protocol"), "SPDY is not installed: add millrace-connector-spdy to lib");
        }
    }

    /** The elements that enable the versions of a connector, the most preferred first. */
    static List<Values> in(ConfigElement element, Values connector) {
        String protocol = connector.text("protocol");
        if (isSpdy(protocol)) {
            return List.of(connector);
        }
        if (Protocols.isAjp(protocol)) {
            return List.of(); // the Validator has warned of an unknown element
        }
        return element.children("UpgradeProtocol").stream()
                .filter(SpdyVocabulary::isOne)
                .map(each -> new Values(each, UPGRADE_PROTOCOL))
                .toList();
    }
}
