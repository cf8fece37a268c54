package io.millrace.boot;

import io.millrace.ConnectorOptions;
import io.millrace.compression.Compression;
import io.millrace.compression.RequestDecompression;
import io.millrace.forwarded.RemoteIp;
import io.millrace.http1.Http1Options;
import io.millrace.io.TransportOptions;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code server.millrace.*}: each setting of a Connector of server.xml, by its name in kebab case, and some of Spring
 * Boot's own. Durations and sizes may have units. Properties of other servers that have a counterpart are used where it is not set.
 */
final class MillraceSettings {

    static final String PREFIX = "server.millrace";

    /** Properties that are no settings of a Connector. */
    static final String TRANSPORT = "transport";

    static final String MAX_THREADS = "threads.max";
    static final String MIN_SPARE_THREADS = "threads.min-spare";
    static final String VIRTUAL_THREADS = "virtual-threads";
    static final String OUTPUT_LIMIT = "output-limit";
    static final String TLS_IMPLEMENTATION = "tls-implementation";
    static final String MBEANS = "mbeanregistry.enabled";
    static final String LOGS = "accesslog.enabled";
    static final String LOG_DIRECTORY = "accesslog.directory";
    static final String LOG_PREFIX = "accesslog.prefix";
    static final String LOG_SUFFIX = "accesslog.suffix";
    static final String LOG_PATTERN = "accesslog.pattern";
    static final String LOG_DAYS = "accesslog.max-days";

    private static final List<String> OWN = List.of(
            TRANSPORT,
            MAX_THREADS,
            MIN_SPARE_THREADS,
            VIRTUAL_THREADS,
            OUTPUT_LIMIT,
            TLS_IMPLEMENTATION,
            MBEANS,
            LOGS,
            LOG_DIRECTORY,
            LOG_PREFIX,
            LOG_SUFFIX,
            LOG_PATTERN,
            LOG_DAYS);

    private static final String REMOTE_IP = "remoteip.";

    /** The fields by which front ends report who their client is. */
    private static final List<Setting<?>> HEADERS = List.of(RemoteIp.REMOTE_IP_HEADER, RemoteIp.PROTOCOL_HEADER);

    /** Settings that Spring Boot configures for all servers, and those that make no sense without a server.xml. */
    private static final List<String> ELSEWHERE = List.of(
            "compression",
            "compressionMinSize",
            "compressibleMimeType",
            "noCompressionUserAgents",
            "noCompressionStrongETag",
            "server",
            "maxRequestHeaderSize",
            "throwOnFailure",
            "bindOnInit",
            "useInheritedChannel",
            "inheritedSocket",
            "useVirtualThreads",
            "maxThreads");

    /** Names that Spring Boot's users know, with those of the settings. */
    private static final Map<String, String> ALIASES = Map.of("maxhttpformpostsize", "maxpostsize");

    /** What the other servers call them. */
    private static final Map<String, Map<String, String>> FOREIGN = Map.of(
            "tomcat", Map.of(), // the names of the settings are Tomcat's
            "undertow",
                    Map.of(
                            "threads.io", "io-threads",
                            "threads.worker", MAX_THREADS,
                            "max-http-post-size", "max-http-form-post-size",
                            "no-request-timeout", "keep-alive-timeout",
                            "max-parameters", "max-parameter-count",
                            "max-headers", "max-header-count",
                            "max-cookies", "max-cookie-count",
                            "url-charset", "uri-encoding",
                            "accesslog.dir", LOG_DIRECTORY),
            "jetty", Map.of("threads.min", MIN_SPARE_THREADS, "connection-idle-timeout", "connection-timeout"));

    private final Map<String, String> values;
    private final List<String> used = new ArrayList<>();
    private final List<String> ignored = new ArrayList<>();

    private MillraceSettings(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException if {@code server.millrace} has a property that does not exist
     */
    static MillraceSettings read(Environment environment) {
        Map<String, String> own = new LinkedHashMap<>();
        Map<String, String> known = known();
        bind(environment, PREFIX).forEach((name, value) -> {
            String canonical = canonical(name);
            if (!known.containsKey(canonical) && !ALIASES.containsKey(canonical)) {
                throw new IllegalArgumentException("There is no property " + PREFIX + "." + name
                        + ": correct or remove it. There are " + String.join(", ", known.values()));
            }
            own.put(canonical, value);
        });
        MillraceSettings read = new MillraceSettings(own);
        new TreeMap<>(FOREIGN).forEach((server, names) -> read.adopt(environment, server, names, known));
        return read;
    }

    private void adopt(Environment environment, String server, Map<String, String> names, Map<String, String> known) {
        Map<String, String> canonical = names.entrySet().stream()
                .collect(Collectors.toMap(each -> canonical(each.getKey()), each -> canonical(each.getValue())));
        bind(environment, "server." + server).forEach((name, value) -> {
            String counterpart = canonical.getOrDefault(canonical(name), canonical(name));
            String setting = ALIASES.getOrDefault(counterpart, counterpart);
            String theirs = "server." + server + "." + name;
            if (known.containsKey(setting) && !values.containsKey(setting) && !values.containsKey(counterpart)) {
                values.put(setting, value);
                used.add(theirs + " (" + PREFIX + "." + known.get(setting) + ")");
            } else {
                ignored.add(theirs);
            }
        });
    }

    private static Map<String, String> bind(Environment environment, String prefix) {
        return Binder.get(environment)
                .bind(prefix, Bindable.mapOf(String.class, String.class))
                .orElse(Map.of());
    }

    /** All property names below {@link #PREFIX}, by their canonical forms. */
    static Map<String, String> known() {
        Map<String, String> names = new TreeMap<>();
        OWN.forEach(name -> names.put(canonical(name), name));
        connector().forEach(setting -> names.put(canonical(setting.name()), kebab(setting.name())));
        RemoteIp.all()
                .forEach(
                        setting -> names.put(canonical(REMOTE_IP + setting.name()), REMOTE_IP + kebab(setting.name())));
        return names;
    }

    private static List<Setting<?>> connector() {
        return Stream.of(
                        TransportOptions.all(),
                        ConnectorOptions.all(),
                        ProtocolOptions.all(),
                        HttpOptions.all(),
                        Http1Options.all(),
                        Compression.all(),
                        RequestDecompression.all(),
                        ServletOptions.all(),
                        ProxyProtocol.all())
                .<Setting<?>>flatMap(List::stream)
                .filter(setting -> !ELSEWHERE.contains(setting.name()))
                .toList();
    }

    private static String canonical(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** {@code max-keep-alive-requests} of {@code maxKeepAliveRequests}, {@code uri-encoding} of {@code URIEncoding}. */
    private static String kebab(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                .replaceAll("([A-Z])([A-Z][a-z])", "$1-$2")
                .toLowerCase(Locale.ROOT);
    }

    /** Properties of other servers that are used, each with the name of its counterpart. */
    List<String> used() {
        return List.copyOf(used);
    }

    /** Properties of other servers that are not. */
    List<String> ignored() {
        return List.copyOf(ignored);
    }

    /** Those of the connector, in addition to some. */
    Settings connector(Settings some) {
        return settings(some, connector(), "");
    }

    /** Those of the front ends that report addresses. */
    RemoteIp remoteIp() {
        RemoteIp usual = RemoteIp.DEFAULT
                .with(RemoteIp.HOST_HEADER, "X-Forwarded-Host")
                .with(RemoteIp.PORT_HEADER, "X-Forwarded-Port");
        List<Setting<?>> told = RemoteIp.all().stream()
                .filter(setting -> !HEADERS.contains(setting) || hasText(setting))
                .toList();
        return usual.with(settings(Settings.DEFAULTS, told, REMOTE_IP));
    }

    /** Whether they are trusted whatever the strategy is: by the same two properties as in Spring Boot with Tomcat, if not empty. */
    boolean hasRemoteIp() {
        return HEADERS.stream().anyMatch(this::hasText);
    }

    private boolean hasText(Setting<?> header) {
        String value = text(REMOTE_IP + header.name());
        return value != null && !value.isBlank();
    }

    private Settings settings(Settings some, List<Setting<?>> all, String prefix) {
        Settings read = some;
        for (Setting<?> setting : all) {
            String name = canonical(prefix + setting.name());
            String value = values.get(name);
            for (Map.Entry<String, String> alias : ALIASES.entrySet()) {
                value = value == null && alias.getValue().equals(name) ? values.get(alias.getKey()) : value;
            }
            if (value != null) {
                read = withText(read, setting, prefix, value);
            }
        }
        return read;
    }

    /** Units of time for settings that are times, of memory for numbers: {@code 2m} is two minutes, and no size. */
    private static <T> Settings withText(Settings some, Setting<T> setting, String prefix, String value) {
        SettingType<T> type = setting.type();
        Object sample = type.read("1000");
        String text = sample instanceof Duration ? millis(value) : sample instanceof Number ? bytes(value) : value;
        if (type.accepts(value)) {
            text = value;
        } else if (!type.accepts(text)) {
            String units = sample instanceof Duration
                    ? ", or a time such as 20s"
                    : sample instanceof Number ? ", or a size such as 2MB" : "";
            throw wrong(prefix + kebab(setting.name()), value, type.expected() + units);
        }
        return some.withText(setting, text);
    }

    private static String millis(String value) {
        try {
            return String.valueOf(DurationStyle.detectAndParse(value).toMillis());
        } catch (RuntimeException noDuration) {
            return value;
        }
    }

    private static String bytes(String value) {
        try {
            return String.valueOf(DataSize.parse(value).toBytes());
        } catch (RuntimeException noSize) {
            return value;
        }
    }

    private static IllegalArgumentException wrong(String name, String value, String expected) {
        return new IllegalArgumentException(PREFIX + "." + name + " is \"" + value + "\"; expected " + expected);
    }

    /** A property that is no setting of a Connector; null if it is not set. */
    @Nullable
    String text(String name) {
        return values.get(canonical(name));
    }

    /** A property that is a number; null if it is not set. */
    @Nullable
    Integer number(String name) {
        String value = text(name);
        if (value == null) {
            return null;
        }
        try {
            return Integer.valueOf(bytes(value));
        } catch (NumberFormatException e) {
            throw wrong(name, value, "a number");
        }
    }

    /** A property that is true or false. */
    boolean flag(String name) {
        String value = text(name);
        if (value == null || value.equalsIgnoreCase("false")) {
            return false;
        }
        if (!value.equalsIgnoreCase("true")) {
            throw wrong(name, value, "true or false");
        }
        return true;
    }

    /** Those of TLS. */
    TlsOptions tls(TlsOptions options) {
        String name = text(TLS_IMPLEMENTATION);
        if (name == null) {
            return options;
        }
        var implementation = TlsOptions.IMPLEMENTATION.type().read(name);
        if (implementation == null) {
            throw wrong(
                    TLS_IMPLEMENTATION, name, TlsOptions.IMPLEMENTATION.type().expected());
        }
        return options.with(TlsOptions.IMPLEMENTATION, implementation);
    }
}
