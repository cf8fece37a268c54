package io.millrace.standalone;

import static io.millrace.ConnectorOptions.INHERITED_SOCKET;
import static io.millrace.ConnectorOptions.THROW_ON_FAILURE;
import static io.millrace.ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH;
import static io.millrace.ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH_PERMISSIONS;
import static io.millrace.ConnectorOptions.USE_INHERITED_CHANNEL;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Responses;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import io.millrace.net.AddressSet;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.settings.Setting;
import io.millrace.standalone.admin.AdminHandler;
import io.millrace.standalone.admin.AdminRoot;
import io.millrace.standalone.admin.AdminSocket;
import io.millrace.standalone.admin.Samples;
import io.millrace.standalone.cli.HostPort;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.connector.ConnectorKind;
import io.millrace.standalone.config.realm.Realm;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.log.StandaloneLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ways in for administration: the socket in the base directory, and the admin port if one is configured. Each is a server with an I/O
 * thread and two workers of its own, so that strangers at the port do not keep the server's user from the socket. They are open from before
 * the applications start until after they have stopped.
 */
final class AdminDoors implements AutoCloseable {

    /**
     * An admin port.
     *
     * @param connector without workers
     * @param users of the Realm; null without one
     * @param allow who may connect besides this machine
     */
    record Port(Connector connector, @Nullable IdentityStore users, AddressSet allow) {}

    private final Path base;
    private final Timers timers;
    private final Samples samples;
    private final AdminRoot root;
    private final @Nullable Port port;
    private final List<Server> servers = new ArrayList<>();
    private @Nullable Path pidFile;
    private volatile boolean closed;

    AdminDoors(Path base, AdminRoot root, @Nullable Port port, Timers timers) {
        this.base = base;
        this.port = port;
        this.timers = timers;
        this.root = root;
        samples = new Samples(root);
    }

    /**
     * Opens them. Without a place for the socket there is none, which is logged.
     *
     * @throws OperatorException if the admin port cannot be opened, or another server uses the base directory
     */
    void open() throws OperatorException {
        Connector socket = socket();
        if (socket != null) {
            openSocket(socket);
        }
        if (port != null) {
            openPort(port);
        }
        if (!servers.isEmpty()) {
            timers.schedule(this::sample, Samples.PERIOD);
        }
    }

    private void openSocket(Connector socket) {
        try {
            start(socket, new AdminHandler(root, samples, null, true));
            pidFile = AdminSocket.usual(base).resolveSibling("pid");
            writePid(pidFile);
        } catch (IOException | IllegalArgumentException | IllegalStateException e) {
            StandaloneLog.SERVER.noAdminSocket(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private void openPort(Port configured) throws OperatorException {
        AdminHandler handler = new AdminHandler(root, samples, configured.users, false);
        NonBlockingHandler guarded = exchange -> {
            if (mayConnect(exchange, configured)) {
                handler.handle(exchange);
            } else {
                Responses.error(exchange, 403);
            }
        };
        try {
            Server started = start(configured.connector, guarded);
            StandaloneLog.SERVER.adminPort(
                    (configured.connector.tls() == null ? "http://" : "https://")
                            + started.addresses().get(0).toString().replaceFirst("^.*/", ""),
                    configured.users == null
                            ? "every user of this machine may administer the server, since there is no Realm"
                            : "users of the Realm with the role manager-script may");
        } catch (IOException | IllegalArgumentException | IllegalStateException e) {
            throw new OperatorException("administration: " + e.getMessage());
        }
    }

    private Server start(Connector connector, NonBlockingHandler handler) throws IOException {
        Server started = Server.builder()
                .announced(false)
                .timers(timers)
                .maxThreads(2)
                .minSpareThreads(0)
                .handler(handler)
                .connector(connector)
                .start();
        servers.add(started);
        return started;
    }

    /** This machine, by whichever of its addresses, and those who are allowed. */
    private static boolean mayConnect(HttpExchange exchange, Port configured) {
        return exchange.channel().info().remote() instanceof InetSocketAddress peer
                && exchange.channel().info().local() instanceof InetSocketAddress local
                && (peer.getAddress().isLoopbackAddress()
                        || peer.getAddress().equals(local.getAddress())
                        || configured.allow.contains(peer.getAddress()));
    }

    private static void writePid(Path file) {
        try {
            Files.writeString(file, ProcessHandle.current().pid() + "\n");
        } catch (IOException readOnly) {
            // it is only for a message
        }
    }

    private void sample() {
        if (!closed) {
            samples.take();
            timers.schedule(this::sample, Samples.PERIOD);
        }
    }

    private @Nullable Connector socket() throws OperatorException {
        if (!InstalledTransports.installed().contains("nio")) {
            StandaloneLog.SERVER.noAdminSocket("it needs the transport nio, which is not installed");
            return null;
        }
        Path path;
        try (SocketChannel other = AdminSocket.connect(base)) {
            if (other != null) {
                throw new OperatorException("another server uses this base directory" + otherProcess()
                        + "; stop it (`millrace stop`), or give this one a base directory of its own");
            }
            path = AdminSocket.prepare(base);
        } catch (IOException e) {
            StandaloneLog.SERVER.noAdminSocket(e.getMessage() == null ? e.toString() : e.getMessage());
            return null;
        }
        return Connector.builder()
                .transport("nio")
                .name("admin")
                .with(TransportOptions.IO_THREADS, 1)
                .with(UNIX_DOMAIN_SOCKET_PATH, path)
                .with(UNIX_DOMAIN_SOCKET_PATH_PERMISSIONS, PosixFilePermissions.fromString("rw-------"))
                .build();
    }

    private String otherProcess() {
        try {
            return ", process "
                    + Files.readString(AdminSocket.usual(base).resolveSibling("pid"))
                            .strip();
        } catch (IOException unknown) {
            return "";
        }
    }

    @Override
    public void close() {
        closed = true;
        servers.forEach(each -> each.stop(Duration.ZERO));
        Path file = pidFile;
        if (file != null) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException readOnly) {
                // it is only for a message
            }
        }
    }

    /** The connector of {@code --admin HOST:PORT}. */
    static Connector connector(HostPort address) {
        return Connector.builder()
                .name("admin")
                .address(address.host())
                .port(address.port())
                .with(TransportOptions.IO_THREADS, 1)
                .build();
    }

    /** Who may connect to an admin port besides this machine. */
    static AddressSet allowed(ServerConfig.Connector connector) {
        return connector.element().get(ConnectorKind.ALLOW);
    }

    /** The Realm whose users administer; null without one. */
    static @Nullable Realm realm(ServerConfig.Service service) {
        return service.engine().hosts().stream()
                .filter(host -> host.name().equalsIgnoreCase(service.engine().defaultHost()))
                .findFirst()
                .map(ServerConfig.Host::realm)
                .orElse(null);
    }

    /** Reports admin ports that could be reached by those who should not. */
    static void check(ServerConfig config, Problems problems) {
        int ports = 0;
        for (ServerConfig.Service service : config.services()) {
            for (ServerConfig.Connector connector : service.administrative()) {
                String address = connector.address();
                String where = "address=\"" + address + "\" on Connector with role=\"admin\": ";
                int line = connector.element().line(ConnectorKind.ADDRESS);
                if (connector.isAjp()) {
                    problems.error(
                            connector.element().line(ConnectorKind.PROTOCOL), "an admin port speaks HTTP/1.1, not AJP");
                }
                if (++ports > 1) {
                    problems.error(
                            connector.element().line(ConnectorKind.ROLE),
                            "there is a second admin port; one is possible");
                }
                otherWaysIn(connector, problems);
                if (ConnectorKind.isLoopback(address)) {
                    continue;
                }
                if (!connector.element().isSet(ConnectorKind.ALLOW)) {
                    problems.error(
                            line,
                            where
                                    + "others than this machine could reach it; add allow=\"…\" with the addresses that may,"
                                    + " or set address=\"127.0.0.1\"");
                }
                if (realm(service) == null) {
                    problems.error(
                            line,
                            where
                                    + "without a Realm in the Engine nobody can log in, and it would be open; add a Realm, or set"
                                    + " address=\"127.0.0.1\"");
                }
            }
        }
    }

    /** Settings by which others than those at the port's address would come in, or with another address than their own. */
    private static void otherWaysIn(ServerConfig.Connector connector, Problems problems) {
        List<Setting<?>> settings = new ArrayList<>(ProxyProtocol.all());
        settings.addAll(List.of(UNIX_DOMAIN_SOCKET_PATH, INHERITED_SOCKET, USE_INHERITED_CHANNEL, THROW_ON_FAILURE));
        for (Setting<?> each : settings) {
            if (connector.element().isSet(each)) {
                problems.error(
                        connector.element().line(each),
                        each.name()
                                + " is not possible on a Connector with role=\"admin\": it is a port that clients connect to"
                                + " themselves, or the server does not start");
            }
        }
    }
}
