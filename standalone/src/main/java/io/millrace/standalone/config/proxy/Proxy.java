package io.millrace.standalone.config.proxy;

import static io.millrace.settings.SettingType.TEXT;

import io.millrace.proxy.BackendProtocols;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.valve.ValveKind;
import io.millrace.standalone.config.xml.Problems;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Proxy element of a Host, which Tomcat does not have: requests below a path are forwarded to other servers.
 *
 * @param application forwards them
 */
public record Proxy(Element element, ProxyApplication application) {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The path below which requests are forwarded. */
    public static final Setting<String> PATH = GROUP.add("path", TEXT, "");

    /** The addresses of the servers. */
    public static final Setting<String> BACKENDS = GROUP.add("backends", TEXT, "", null);

    /** The kind of such elements. */
    public static Element.Kind kind() {
        return new Element.Kind(
                "Proxy",
                Attribute.all(
                        Attribute.of(GROUP.settings()),
                        BackendTls.ATTRIBUTES,
                        Attribute.of(BackendProtocols.settings()),
                        Attribute.of(ProxyOptions.all())));
    }

    /** Reads those of a Host; their paths must be distinct. */
    public static List<Proxy> in(Element host, Element engine, Path base, Problems problems) {
        Map<String, String> lines = new HashMap<>();
        Set<String> frontEnds = Stream.of(engine, host)
                .flatMap(container -> ValveKind.in(container, ValveKind.class).stream())
                .flatMap(valve -> ((ValveKind) valve.kind()).frontEndHeaders(valve).stream())
                .collect(Collectors.toSet());
        return host.children("Proxy").stream()
                .map(element -> read(element, frontEnds, base, lines, problems))
                .flatMap(Stream::ofNullable)
                .toList();
    }

    /** Null after an error. */
    private static @Nullable Proxy read(
            Element element, Set<String> frontEnds, Path base, Map<String, String> lines, Problems problems) {
        String path = element.get(PATH);
        if (!path.isEmpty() && (!path.startsWith("/") || path.endsWith("/"))) {
            problems.error(
                    element.line(PATH),
                    "path=\"" + path
                            + "\" on Proxy: expected \"\" for all requests that no application serves, or a path that begins"
                            + " with a slash and does not end with one");
            return null;
        }
        String first = lines.putIfAbsent(path, element.where());
        if (first != null) {
            problems.error(
                    element.line(PATH), "path=\"" + path + "\" on Proxy is already used by the Proxy in " + first);
            return null;
        }
        String backends = element.get(BACKENDS).strip();
        if (backends.isEmpty()) {
            problems.error(
                    element.line(),
                    "Proxy has no backends; expected backends=\"http://host:port\", or several separated by spaces");
            return null;
        }
        Settings settings = element.settings();
        Set<String> dropped = new TreeSet<>(settings.get(ProxyOptions.FRONT_END_HEADERS));
        dropped.addAll(frontEnds);
        try {
            ProxyApplication proxy = ProxyApplication.to(backends.split("\\s+"))
                    .at(path)
                    .with(settings.with(ProxyOptions.FRONT_END_HEADERS, dropped))
                    .check();
            return new Proxy(element, proxy.tls(BackendTls.options(element, base)));
        } catch (IllegalArgumentException wrong) {
            problems.error(element.line(BACKENDS), "backends on Proxy: " + wrong.getMessage());
            return null;
        }
    }
}
