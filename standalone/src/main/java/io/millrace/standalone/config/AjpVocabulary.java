package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.PORT;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.http1.Http1Options;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingType;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The attributes of Tomcat 9's AJP connector, with its defaults: those of the HTTP connector that apply to AJP, and its own. */
final class AjpVocabulary {

    private static final SettingType<?> NO_TLS = SettingType.text(
            "false, because AJP has no TLS; use a tunnel between the front end and this server, or HTTP over TLS",
            "false"::equalsIgnoreCase);

    private static final List<AttributeRule> UNLIKE_HTTP = List.of(
            works("port", PORT, "8009"),
            works("address", TEXT, "127.0.0.1"),
            AttributeRule.of(ProtocolOptions.CONNECTION_TIMEOUT, "-1"),
            works("SSLEnabled", NO_TLS, "false"));

    /** Attributes that apply to HTTP only. */
    private static final Set<String> HTTP_ONLY = Stream.of(
                    Http1Options.all().stream().map(Setting::name),
                    HttpOptions.all().stream().map(Setting::name),
                    Stream.of("maxHttpHeaderSize", "disableUploadTimeout"))
            .flatMap(names -> names)
            .collect(Collectors.toUnmodifiableSet());

    private AjpVocabulary() {}

    static List<AttributeRule> rules() {
        Map<String, AttributeRule> rules = new LinkedHashMap<>();
        ConnectorVocabulary.rules().forEach(rule -> rules.put(rule.name(), rule));
        rules.replaceAll((name, rule) -> HTTP_ONLY.contains(name) ? httpOnly(rule) : rule);
        UNLIKE_HTTP.forEach(rule -> rules.put(rule.name(), rule));
        AttributeRule.of(Protocols.settings("ajp")).forEach(rule -> rules.put(rule.name(), rule));
        return List.copyOf(rules.values());
    }

    /** Requires a secret: without one, any client that reaches the port can pose as any user. */
    static void check(Values connector, Problems problems) {
        if (!connector.has("secret")) {
            problems.error(connector.line("protocol"), "AJP/1.3 is not installed: add millrace-connector-ajp to lib");
            return;
        }
        String secret = connector.text("secret", connector.text("requiredSecret", ""));
        String address = connector.text("address", "");
        if (!secret.isEmpty()) {
            return;
        }
        if (connector.flag("secretRequired")) {
            String suggested = suggestion();
            int port = connector.number("port");
            problems.error(
                    connector.line("protocol"),
                    "the AJP Connector has no secret, so anybody who can reach its port could pose as any user. Set one here,"
                            + " and in httpd (mod_jk: worker.NAME.secret):\n    <Connector protocol=\"AJP/1.3\" port=\""
                            + port
                            + "\" secret=\"" + suggested + "\" />\n    ProxyPass \"/\" \"ajp://127.0.0.1:" + port
                            + "/\" secret=" + suggested
                            + "\n  or set secretRequired=\"false\" if only the front end can reach the port");
        } else if (!isLoopback(address)) {
            problems.warning(
                    connector.line("secretRequired"),
                    "secretRequired=\"false\" without a secret on an AJP Connector with address=\"" + address
                            + "\": anybody who can reach it can pose as any user; make sure that only the front end can");
        }
    }

    private static AttributeRule httpOnly(AttributeRule rule) {
        String byDefault = rule.byDefault();
        return none(rule.name(), rule.type(), byDefault == null ? "" : byDefault, "it applies to HTTP only");
    }

    private static boolean isLoopback(String address) {
        return address.startsWith("127.") || address.equals("::1") || address.equalsIgnoreCase("localhost");
    }

    private static String suggestion() {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
