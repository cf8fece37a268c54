package io.millrace.cluster.infinispan;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a server listens for the others of its cluster, and where they are. Immutable. Its attributes are those of the Cluster element:
 *
 * <pre>
 * peers        HOST[:PORT],HOST[:PORT]…   all servers of the cluster, or all others; without it, the server is alone
 * address      where to listen for them; the loopback interface by default
 * port         7800 by default
 * secret       encrypts what is sent to the others; needed beyond the loopback interface
 * owners       how many servers have a copy of each session; 2 by default
 * clusterName  servers with another name are not of the cluster; millrace by default
 * dropTime     a server that is silent for so many milliseconds is suspected; 5000 by default
 * </pre>
 */
public final class InfinispanOptions {

    static final String PEERS = "peers";
    static final String ADDRESS = "address";
    static final String PORT = "port";
    static final String SECRET = "secret";
    static final String OWNERS = "owners";
    static final String CLUSTER_NAME = "clusterName";
    static final String DROP_TIME = "dropTime";

    private static final Set<String> ATTRIBUTES = new TreeSet<>(List.of(
            PEERS, ADDRESS, PORT, SECRET, OWNERS, CLUSTER_NAME, DROP_TIME, "className", "mode", "replicationDelay"));

    private static final String LOOPBACK = "127.0.0.1";
    private static final int DEFAULT_PORT = 7800;
    private static final int MAX_PORT = 65_535;
    private static final int LEAST_OWNERS = 2;
    private static final int MAX_OWNERS = 10;
    private static final int DEFAULT_DROP_TIME = 5_000;
    private static final int LEAST_DROP_TIME = 1_000;
    private static final int MAX_DROP_TIME = 600_000;

    /** A suspected server has this part of dropTime to answer. */
    private static final double VERIFY_PART = 0.3;

    /** Short ones can be guessed by who has recorded a message. */
    private static final int LEAST_SECRET = 16;

    private static final Pattern HOST = Pattern.compile("[\\p{Alnum}._-]+|\\[[0-9A-Fa-f:.]+(%\\w+)?]");
    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*");

    private final String address;
    private final int port;
    private final List<Peer> peers;
    private final @Nullable String secret;
    private final int owners;
    private final String clusterName;
    private final int dropTime;

    /**
     * A server of the cluster.
     *
     * @param host its name or address, which is not resolved
     */
    record Peer(String host, int port) {

        /** Resolves the host, which may block. */
        InetSocketAddress resolve() throws UnknownHostException {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        }

        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        }
    }

    private InfinispanOptions(Map<String, String> attributes) {
        for (String name : attributes.keySet()) {
            require(
                    ATTRIBUTES.contains(name),
                    "the attribute " + name + " is unknown; expected one of " + String.join(", ", ATTRIBUTES));
        }
        String ownAddress = attributes.get(ADDRESS);
        address = ownAddress == null ? LOOPBACK : host(ADDRESS, ownAddress.strip());
        port = number(attributes, PORT, 1, MAX_PORT, DEFAULT_PORT);
        peers = peers(attributes.getOrDefault(PEERS, ""), port);
        owners = number(attributes, OWNERS, LEAST_OWNERS, MAX_OWNERS, LEAST_OWNERS);
        dropTime = number(attributes, DROP_TIME, LEAST_DROP_TIME, MAX_DROP_TIME, DEFAULT_DROP_TIME);
        clusterName = attributes.getOrDefault(CLUSTER_NAME, "millrace");
        secret = attributes.get(SECRET);
        require(!clusterName.isBlank(), CLUSTER_NAME + " is empty; write a name, or leave it out");
        require(
                secret == null || secret.length() >= LEAST_SECRET,
                SECRET + " has fewer than " + LEAST_SECRET
                        + " characters, so that it could be guessed; write a longer one, such as the output of"
                        + " openssl rand -hex 32");
        checkReach(ownAddress != null);
    }

    /** What listens where others may connect must know them. */
    private void checkReach(boolean isTold) {
        Peer outside = peers.stream()
                .filter(peer -> !isLoopback(peer.host()))
                .findFirst()
                .orElse(null);
        require(
                outside == null || isTold,
                PEERS + " names " + outside + ", but this server listens on " + address + " only; add " + ADDRESS
                        + "=\"…\", the address of this machine by which the others reach it");
        require(
                peers.isEmpty() || secret != null || isLoopback(address) && outside == null,
                "sessions would be sent, and accepted, without protection at " + address + ":" + port + "; add "
                        + SECRET + "=\"…\", the same one on all servers, such as the output of openssl rand -hex 32");
    }

    /**
     * Reads the attributes of a Cluster element. Resolves no names.
     *
     * @param attributes those that are set, by their names
     * @throws IllegalArgumentException if they are not valid; the message is a sentence for the operator, without the secret
     */
    public static InfinispanOptions of(Map<String, String> attributes) {
        return new InfinispanOptions(attributes);
    }

    private static List<Peer> peers(String text, int usualPort) {
        List<Peer> peers = new ArrayList<>();
        for (String peer : text.isBlank() ? new String[0] : text.split(",", -1)) {
            String one = peer.strip();
            int colon = one.indexOf(':', Math.max(0, one.indexOf(']')));
            String name = colon < 0 ? one : one.substring(0, colon);
            int peerPort = colon < 0
                    ? usualPort
                    : number("the port of " + one + " in " + PEERS, one.substring(colon + 1), 1, MAX_PORT);
            peers.add(new Peer(host(PEERS, name), peerPort));
        }
        return List.copyOf(peers);
    }

    /** A host as it is written, without the brackets of an IPv6 address. */
    private static String host(String attribute, String text) {
        String bracketed =
                text.chars().filter(c -> c == ':').count() > 1 && !text.startsWith("[") ? "[" + text + "]" : text;
        require(
                HOST.matcher(bracketed).matches(),
                attribute + " has \"" + text
                        + "\": expected HOST or HOST:PORT, separated by commas, with [ ] around an IPv6" + " address");
        return bracketed.startsWith("[") ? bracketed.substring(1, bracketed.length() - 1) : bracketed;
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

    /** Whether a host is this machine for sure. A name that has to be resolved may be any. */
    private static boolean isLoopback(String host) {
        if (!LITERAL.matcher(host).matches()) {
            return host.equalsIgnoreCase("localhost");
        }
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    String address() {
        return address;
    }

    int port() {
        return port;
    }

    /** As they are written, possibly with this server; empty if it is alone. */
    List<Peer> peers() {
        return peers;
    }

    @Nullable
    String secret() {
        return secret;
    }

    int owners() {
        return owners;
    }

    String clusterName() {
        return clusterName;
    }

    /** After how much silence a server is suspected, in milliseconds. */
    int dropTime() {
        return dropTime;
    }

    /** How much longer the others wait for a suspected server before they go on without it, in milliseconds. */
    int verifyTime() {
        return (int) (dropTime * VERIFY_PART);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return peers.isEmpty() ? "Infinispan, alone" : "Infinispan at " + new Peer(address, port);
    }
}
