package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.proxy.BackendProtocols;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.settings.Settings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Proxy element of a Host, which Tomcat does not have: requests below a path are forwarded to other servers. */
final class ProxyVocabulary {

    static final ElementRule PROXY = ElementRule.of("Proxy", rules());

    private ProxyVocabulary() {}

    private static List<AttributeRule> rules() {
        return Stream.of(
                        List.of(works("path", TEXT, ""), works("backends", TEXT, null)),
                        BackendTls.RULES,
                        AttributeRule.of(BackendProtocols.settings()),
                        AttributeRule.of(ProxyOptions.all()))
                .flatMap(List::stream)
                .toList();
    }

    /** Reads those of a Host; their paths must be distinct. */
    static List<ServerConfig.Proxy> in(ConfigElement host, ConfigElement engine, Path base, Problems problems) {
        Map<String, String> lines = new HashMap<>();
        Set<String> frontEnds = Stream.of(engine, host)
                .flatMap(container -> HandlerValves.frontEndHeaders(container).stream())
                .collect(Collectors.toSet());
        return host.children("Proxy").stream()
                .map(element -> read(new Values(element, PROXY), frontEnds, base, lines, problems))
                .flatMap(Stream::ofNullable)
                .toList();
    }

    /** Null after an error. */
    private static ServerConfig.@Nullable Proxy read(
            Values values, Set<String> frontEnds, Path base, Map<String, String> lines, Problems problems) {
        String path = values.text("path", "");
        if (!path.isEmpty() && (!path.startsWith("/") || path.endsWith("/"))) {
            problems.error(
                    values.line("path"),
                    "path=\"" + path
                            + "\" on Proxy: expected \"\" for all requests that no application serves, or a path that begins"
                            + " with a slash and does not end with one");
            return null;
        }
        String first = lines.putIfAbsent(path, values.where());
        if (first != null) {
            problems.error(
                    values.line("path"), "path=\"" + path + "\" on Proxy is already used by the Proxy in " + first);
            return null;
        }
        String backends = values.text("backends", "").strip();
        if (backends.isEmpty()) {
            problems.error(
                    values.line(),
                    "Proxy has no backends; expected backends=\"http://host:port\", or several separated by spaces");
            return null;
        }
        Settings settings = values.settings();
        Set<String> dropped = new TreeSet<>(settings.get(ProxyOptions.FRONT_END_HEADERS));
        dropped.addAll(frontEnds);
        try {
            ProxyApplication proxy = ProxyApplication.to(backends.split("\\s+"))
                    .at(path)
                    .with(settings.with(ProxyOptions.FRONT_END_HEADERS, dropped))
                    .check();
            return new ServerConfig.Proxy(values, proxy.tls(BackendTls.options(values, base)));
        } catch (IllegalArgumentException wrong) {
            problems.error(values.line("backends"), "backends on Proxy: " + wrong.getMessage());
            return null;
        }
    }
}
