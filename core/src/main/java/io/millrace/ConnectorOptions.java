package io.millrace;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.FILE;
import static io.millrace.settings.SettingType.PORT;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.countOrNoLimit;
import static io.millrace.settings.SettingType.oneOf;
import static io.millrace.settings.SettingType.parsed;
import static java.nio.file.attribute.PosixFilePermission.GROUP_READ;
import static java.nio.file.attribute.PosixFilePermission.GROUP_WRITE;
import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;

import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/**
 * The settings of a connector itself: how it listens, and which scheme, host and port its requests report. The names are
 * Tomcat's.
 */
public final class ConnectorOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /**
     * The scheme that requests report: {@code https} behind a front end that terminates TLS. Ignored if the connector
     * itself uses TLS.
     */
    public static final Setting<String> SCHEME = GROUP.add("scheme", oneOf("http", "https"), "http");

    /**
     * Whether requests are reported as secure because a front end terminates TLS. Requests over the connector's own TLS
     * always are.
     */
    public static final Setting<Boolean> SECURE = GROUP.add("secure", BOOLEAN, false);

    /**
     * The host name that requests report instead of the one in their Host field: that of the front end. Empty: the Host
     * field's.
     */
    public static final Setting<String> PROXY_NAME = GROUP.add("proxyName", TEXT, "");

    /** The port that requests report: that of the front end. 0: the Host field's, or the scheme's default port. */
    public static final Setting<Integer> PROXY_PORT = GROUP.add("proxyPort", PORT, 0);

    /**
     * Whether the server fails to start if this connector cannot listen. If false, the server starts without the
     * connector.
     */
    public static final Setting<Boolean> THROW_ON_FAILURE = GROUP.add("throwOnFailure", BOOLEAN, true);

    /**
     * Whether the connector listens before the applications have started. Clients that connect then wait for them, up to
     * acceptCount connections. If false, connections are refused until then, and a load balancer picks another server.
     */
    public static final Setting<Boolean> BIND_ON_INIT = GROUP.add("bindOnInit", BOOLEAN, false);

    /**
     * Whether the connector accepts on the socket that inetd or systemd passed as standard input
     * (System.inheritedChannel). Only the nio transport supports it.
     */
    public static final Setting<Boolean> USE_INHERITED_CHANNEL = GROUP.add("useInheritedChannel", BOOLEAN, false);

    /**
     * The name of the socket that systemd opened for the connector ({@code FileDescriptorName} of a .socket unit, LISTEN_FDNAMES). All
     * transports but nio2 support it. Not in Tomcat.
     */
    public static final Setting<String> INHERITED_SOCKET = GROUP.optional("inheritedSocket", TEXT);

    /**
     * The Unix domain socket that the connector listens on instead of a port. Only the nio transport supports it. The file
     * is deleted when the server stops; one of a server that was killed is replaced.
     */
    public static final Setting<Path> UNIX_DOMAIN_SOCKET_PATH = GROUP.optional("unixDomainSocketPath", FILE);

    /** The permissions of that file: users with write permission may connect. Default in server.xml: all users, as in Tomcat. */
    public static final Setting<Set<PosixFilePermission>> UNIX_DOMAIN_SOCKET_PATH_PERMISSIONS = GROUP.add(
            "unixDomainSocketPathPermissions",
            parsed("nine letters such as rw-rw----", text -> Set.copyOf(PosixFilePermissions.fromString(text))),
            Set.of(OWNER_READ, OWNER_WRITE, GROUP_READ, GROUP_WRITE),
            "rw-rw-rw-");

    /**
     * The maximum number of worker threads that requests from one address occupy at the same time; others wait in order.
     * Behind a front end it is the front end's address, unless that sends the PROXY protocol or AJP. Not in Tomcat.
     */
    public static final Setting<Integer> MAX_THREADS_PER_ADDRESS =
            GROUP.add("maxThreadsPerAddress", countOrNoLimit(1), Integer.MAX_VALUE, "-1");

    /**
     * By how many the requests that clients at one address abort within two seconds may exceed a quarter of those that are answered,
     * and 33 a second; of those within a second a hundred count. Above it, the first request on each new connection from there waits for a second, unless a thread serves
     * only that connection (bio). Over HTTP/1.1. Unless it is set, loopback, link-local and private addresses are spared, which are
     * mostly front ends'. Not in Tomcat.
     */
    public static final Setting<Integer> MAX_ABORTS_PER_ADDRESS =
            GROUP.add("maxAbortsPerAddress", countOrNoLimit(1), 200);

    /**
     * Whether each request gets an id and a place in a trace: returned as {@code X-Request-Id} and {@code traceparent}, in both
     * logs, and passed on to backends. Those of the fields of these names are taken over if a front end sent them that a {@link
     * io.millrace.forwarded.RemoteIp} or {@link io.millrace.forwarded.ForwardedField} trusts. Not in Tomcat.
     */
    public static final Setting<Boolean> REQUEST_ID = GROUP.add("requestId", BOOLEAN, false);

    /**
     * Whether requests and calls for WebSocket messages that are expected to be short run on the I/O thread that has read them, which saves
     * a change of threads. If one is not short after all, another thread polls the connections meanwhile. Not in Tomcat.
     */
    public static final Setting<Boolean> INLINE_SHORT = GROUP.add("inlineShort", BOOLEAN, false);

    private ConnectorOptions() {}

    /** All of these settings. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }
}
