package io.millrace;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.FILE;
import static io.millrace.settings.SettingType.PORT;
import static io.millrace.settings.SettingType.TEXT;
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

/** How a connector listens, and what its requests are said to have come by, with Tomcat's names. */
public final class ConnectorOptions {

    private static final SettingGroup GROUP = new SettingGroup();

    /** What requests are said to have come by: {@code https} behind a front end that ends TLS. TLS here decides it itself. */
    public static final Setting<String> SCHEME = GROUP.add("scheme", oneOf("http", "https"), "http");

    /** Whether requests count as protected, because a front end ends TLS; with TLS here they do. */
    public static final Setting<Boolean> SECURE = GROUP.add("secure", BOOLEAN, false);

    /** The host name requests are said to be sent to, whatever their Host field says: that of the front end. Empty: what Host says. */
    public static final Setting<String> PROXY_NAME = GROUP.add("proxyName", TEXT, "");

    /** The port requests are said to be sent to: that of the front end; 0 for what Host says, or the scheme's own. */
    public static final Setting<Integer> PROXY_PORT = GROUP.add("proxyPort", PORT, 0);

    /** Whether a server fails to start if this connector can't listen; if not, it goes on without. */
    public static final Setting<Boolean> THROW_ON_FAILURE = GROUP.add("throwOnFailure", BOOLEAN, true);

    /**
     * Whether it listens before the applications have started: who connects then waits for them, up to acceptCount. If not, a
     * client is refused until then, and a balancer asks another server.
     */
    public static final Setting<Boolean> BIND_ON_INIT = GROUP.add("bindOnInit", BOOLEAN, false);

    /** Whether it listens on the socket that inetd or systemd gave the process as standard input; NIO alone can. */
    public static final Setting<Boolean> USE_INHERITED_CHANNEL = GROUP.add("useInheritedChannel", BOOLEAN, false);

    /**
     * The Unix domain socket that it listens on instead of a port; NIO alone can. A file left behind by a server that was
     * killed is removed; the socket's own is, when the server stops.
     */
    public static final Setting<Path> UNIX_DOMAIN_SOCKET_PATH = GROUP.optional("unixDomainSocketPath", FILE);

    /** Who may connect to that socket: those who may write. In server.xml unless it is set everybody, as in Tomcat. */
    public static final Setting<Set<PosixFilePermission>> UNIX_DOMAIN_SOCKET_PATH_PERMISSIONS = GROUP.add(
            "unixDomainSocketPathPermissions",
            parsed("nine letters such as rw-rw----", text -> Set.copyOf(PosixFilePermissions.fromString(text))),
            Set.of(OWNER_READ, OWNER_WRITE, GROUP_READ, GROUP_WRITE),
            "rw-rw-rw-");

    private ConnectorOptions() {}

    /** All of them. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }
}
