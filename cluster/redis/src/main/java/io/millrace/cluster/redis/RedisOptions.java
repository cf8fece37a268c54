package io.millrace.cluster.redis;

import io.millrace.text.EditDistance;
import io.millrace.tls.certificate.TrustedAuthorities;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis or Valkey is, and how it is used. Immutable.
 *
 * <pre>
 * redis://[[USER]:PASSWORD@]HOST[:PORT][,HOST[:PORT]…][/DATABASE][?PARAMETER=VALUE[&amp;…]]     rediss:// for TLS
 *   sentinel=NAME                             the hosts are Sentinels, which know the master of this name
 *   sentinelUser=, sentinelPassword=          for the Sentinels, if they ask for it
 *   cluster=true                              the hosts are nodes of a Redis Cluster
 * </pre>
 *
 * <p>User, password and values are percent-encoded. Several hosts need {@code sentinel} or {@code cluster}.
 */
public final class RedisOptions {

    static final String URI = "uri";
    static final String USER = "user";
    static final String PASSWORD = "password";
    static final String MIN_REPLICAS = "minReplicas";
    static final String CONNECTIONS = "connections";
    static final String CA_FILE = "caCertificateFile";
    static final String NAMESPACE = "namespace";

    private static final Set<String> ATTRIBUTES = new TreeSet<>(List.of(
            URI,
            USER,
            PASSWORD,
            MIN_REPLICAS,
            CONNECTIONS,
            CA_FILE,
            NAMESPACE,
            "className",
            "mode",
            "replicationDelay"));

    /** Nothing that means something in a key, or in a pattern of keys. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private static final String SENTINEL = "sentinel";
    private static final String SENTINEL_USER = "sentinelUser";
    private static final String SENTINEL_PASSWORD = "sentinelPassword";
    private static final String CLUSTER = "cluster";
    private static final Set<String> PARAMETERS =
            new TreeSet<>(List.of(SENTINEL, SENTINEL_USER, SENTINEL_PASSWORD, CLUSTER));

    private static final int REDIS_PORT = 6379;
    private static final int SENTINEL_PORT = 26_379;
    private static final int MAX_PORT = 65_535;
    private static final int MAX_REPLICAS = 100;
    private static final int DEFAULT_CONNECTIONS = 64;
    private static final int MAX_CONNECTIONS = 10_000;

    private static final String FORM = "expected redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]";

    private final List<Node> nodes;
    private final boolean tls;
    private final @Nullable String user;
    private final @Nullable String password;
    private final int database;
    private final Map<String, String> parameters;
    private final int minReplicas;
    private final int connections;
    private final String namespace;
    /** With the certificates (PEM) that TLS trusts; null for those that Java trusts. */
    private final @Nullable Path caFile;

    /** One server. */
    record Node(String host, int port) {

        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    private RedisOptions(Uri uri, Map<String, String> attributes, Path base) {
        nodes = uri.nodes();
        tls = uri.tls();
        String ownUser = attributes.get(USER);
        user = ownUser == null ? uri.user() : ownUser;
        String ownPassword = attributes.get(PASSWORD);
        password = ownPassword == null ? uri.password() : ownPassword;
        require(user == null || password != null, "uri names a user without a password; add :PASSWORD, or password=");
        database = uri.database();
        parameters = uri.parameters();
        minReplicas = number(attributes, MIN_REPLICAS, 0, MAX_REPLICAS, 0);
        connections = number(attributes, CONNECTIONS, 1, MAX_CONNECTIONS, DEFAULT_CONNECTIONS);
        namespace = attributes.getOrDefault(NAMESPACE, "");
        require(
                namespace.isEmpty() || NAME.matcher(namespace).matches(),
                NAMESPACE + "=\"" + namespace + "\": expected letters, digits, ., _ and -, 64 of them at most");
        String file = attributes.get(CA_FILE);
        caFile = file == null ? null : base.resolve(file);
        require(
                caFile == null || Files.isReadable(caFile),
                CA_FILE + "=\"" + file + "\": there is no such file, or it cannot be read");
        require(caFile == null || tls, CA_FILE + " has no effect with redis://; write rediss:// for TLS");
    }

    /**
     * Reads the attributes of a Cluster element.
     *
     * @param attributes those that are set, by their names
     * @param base the directory to which relative paths are relative
     * @throws IllegalArgumentException if they are not valid; the message is a sentence for the operator, without passwords
     */
    public static RedisOptions of(Map<String, String> attributes, Path base) {
        for (String name : attributes.keySet()) {
            require(
                    ATTRIBUTES.contains(name),
                    "the attribute " + name + " is unknown; " + suggestion(name, ATTRIBUTES));
        }
        String uri = attributes.get(URI);
        if (uri == null || uri.isBlank()) {
            throw new IllegalArgumentException(
                    "uri is missing: write uri=\"redis://localhost:6379\", with the address of Redis");
        }
        return new RedisOptions(Uri.of(uri.strip()), attributes, base);
    }

    /**
     * Reads a URI; all else is as by default.
     *
     * @throws IllegalArgumentException if it is not valid; the message is a sentence for the operator, without passwords
     */
    public static RedisOptions of(String uri) {
        return of(Map.of(URI, uri), Path.of(""));
    }

    private static int number(Map<String, String> attributes, String name, int least, int most, int byDefault) {
        String value = attributes.get(name);
        return value == null ? byDefault : number(name + "=\"" + value + "\"", value, least, most);
    }

    private static int number(String what, String value, int least, int most) {
        try {
            int number = Integer.parseInt(value.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException(what + ": expected a number from " + least + " to " + most);
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private static String suggestion(String name, Set<String> known) {
        return "the nearest is " + EditDistance.nearest(name, known);
    }

    List<Node> nodes() {
        return nodes;
    }

    boolean tls() {
        return tls;
    }

    @Nullable
    String user() {
        return user;
    }

    @Nullable
    String password() {
        return password;
    }

    int database() {
        return database;
    }

    /** The name by which the Sentinels know the master; null without Sentinels. */
    @Nullable
    String master() {
        return parameters.get(SENTINEL);
    }

    @Nullable
    String sentinelUser() {
        return parameters.get(SENTINEL_USER);
    }

    @Nullable
    String sentinelPassword() {
        return parameters.get(SENTINEL_PASSWORD);
    }

    boolean isCluster() {
        return Boolean.parseBoolean(parameters.get(CLUSTER));
    }

    /** How many replicas should confirm each write; 0: it is not asked for. */
    int minReplicas() {
        return minReplicas;
    }

    /** The most connections to each server. */
    int connections() {
        return connections;
    }

    /** What distinguishes installations that use the same Redis; empty for none. */
    String namespace() {
        return namespace;
    }

    /**
     * Makes the sockets of TLS.
     *
     * @throws IllegalArgumentException if the file of certificates cannot be read; the message is a sentence for the operator
     */
    SSLSocketFactory socketFactory() {
        Path file = caFile;
        if (file == null) {
            return (SSLSocketFactory) SSLSocketFactory.getDefault();
        }
        try {
            return TrustedAuthorities.clients(file).getSocketFactory();
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(CA_FILE + ": " + file + " " + e.getMessage(), e);
        }
    }

    /** Without user and password. */
    @Override
    public String toString() {
        String hosts = String.join(",", nodes.stream().map(Node::toString).toList());
        return (tls ? "rediss://" : "redis://")
                + hosts
                + (database == 0 ? "" : "/" + database)
                + (master() == null ? "" : " (master " + master() + ")");
    }

    /** What a URI says. Its messages do not quote what may be a password. */
    private record Uri(
            List<Node> nodes,
            boolean tls,
            @Nullable String user,
            @Nullable String password,
            int database,
            Map<String, String> parameters) {

        static Uri of(String text) {
            int scheme = text.indexOf("://");
            String name = scheme < 0 ? "" : text.substring(0, scheme);
            require(scheme > 0, "uri has no scheme: " + FORM + ", or rediss:// for TLS");
            require(
                    name.equals("redis") || name.equals("rediss"),
                    "uri has the unknown scheme \"" + name + "\": " + FORM + ", or rediss:// for TLS");
            String rest = text.substring(scheme + "://".length());
            int query = rest.indexOf('?');
            Map<String, String> parameters = parameters(query < 0 ? "" : rest.substring(query + 1));
            rest = query < 0 ? rest : rest.substring(0, query);
            int at = rest.lastIndexOf('@');
            String login = at < 0 ? "" : rest.substring(0, at);
            rest = rest.substring(at + 1);
            int slash = rest.indexOf('/');
            String path = slash < 0 ? "" : rest.substring(slash + 1);
            boolean sentinel = parameters.containsKey(SENTINEL);
            boolean cluster = Boolean.parseBoolean(parameters.get(CLUSTER));
            List<Node> nodes =
                    nodes(slash < 0 ? rest : rest.substring(0, slash), sentinel ? SENTINEL_PORT : REDIS_PORT);
            int database = path.isEmpty() ? 0 : number("the database number in uri", path, 0, Integer.MAX_VALUE);
            int colon = login.indexOf(':');
            require(at < 0 || colon >= 0, "uri has a user without a password before the @: " + FORM);
            require(!(sentinel && cluster), "uri has both sentinel= and cluster=true; Redis has one or the other");
            require(
                    sentinel || cluster || nodes.size() == 1,
                    "uri names several hosts: add ?sentinel=NAME if they are Sentinels, or ?cluster=true if they are nodes of a"
                            + " Redis Cluster");
            require(
                    !cluster || database == 0,
                    "uri has a database number, but a Redis Cluster has only the database 0");
            return new Uri(
                    nodes,
                    name.equals("rediss"),
                    colon <= 0 ? null : decoded(login.substring(0, colon)),
                    colon < 0 || colon == login.length() - 1 ? null : decoded(login.substring(colon + 1)),
                    database,
                    parameters);
        }

        private static Map<String, String> parameters(String query) {
            Map<String, String> found = new LinkedHashMap<>();
            for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
                int equals = parameter.indexOf('=');
                String name = equals < 0 ? parameter : parameter.substring(0, equals);
                require(
                        PARAMETERS.contains(name),
                        "uri has the unknown parameter \"" + name + "\"; " + suggestion(name, PARAMETERS));
                String value = equals < 0 ? "" : decoded(parameter.substring(equals + 1));
                require(!value.isEmpty(), "the parameter " + name + " in uri has no value");
                require(
                        !name.equals(CLUSTER) || value.equals("true") || value.equals("false"),
                        "the parameter cluster in uri is neither true nor false");
                found.put(name, value);
            }
            return Map.copyOf(found);
        }

        private static List<Node> nodes(String hosts, int usualPort) {
            List<Node> nodes = new ArrayList<>();
            for (String host : hosts.split(",", -1)) {
                int colon = host.startsWith("[") ? host.indexOf(':', host.indexOf(']') + 1) : host.indexOf(':');
                String name = colon < 0 ? host : host.substring(0, colon);
                String bare = name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
                require(!bare.isEmpty(), "uri has no host, or an empty one: " + FORM);
                require(
                        bare.chars().allMatch(c -> Character.isLetterOrDigit(c) || "-._:%".indexOf(c) >= 0),
                        "uri has a host with characters that no host name has; in user and password write / ? # @ as %2F %3F %23"
                                + " %40");
                int port = colon < 0 ? usualPort : number("a port in uri", host.substring(colon + 1), 1, MAX_PORT);
                nodes.add(new Node(bare, port));
            }
            return List.copyOf(nodes);
        }

        private static String decoded(String text) {
            try {
                return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "uri has a % that is not followed by two hexadecimal digits; write it as %25", e);
            }
        }
    }
}
