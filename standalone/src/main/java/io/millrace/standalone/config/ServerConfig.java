package io.millrace.standalone.config;

import static io.millrace.io.TransportOptions.LOOP;
import static io.millrace.io.TransportOptions.MAX_THREADS;
import static io.millrace.io.TransportOptions.THREADS;
import static io.millrace.servlet.settings.ServletOptions.REDIRECT_PORT;

import io.millrace.io.DefaultTransport;
import io.millrace.io.TransportOptions.Threads;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.connector.AjpConnector;
import io.millrace.standalone.config.connector.ConnectorKind;
import io.millrace.standalone.config.connector.Protocols;
import io.millrace.standalone.config.connector.SpdyConnector;
import io.millrace.standalone.config.connector.ThreadPools;
import io.millrace.standalone.config.proxy.Proxy;
import io.millrace.standalone.config.realm.Realm;
import io.millrace.standalone.config.schema.Element;
import io.millrace.tls.TlsOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a server.xml that have an effect. */
public record ServerConfig(List<Service> services) {

    /**
     * Connectors, and the engine that serves all of them.
     *
     * @param grace how long a stop waits for running requests
     * @param drainDelay how long it keeps accepting connections after its health check turned DOWN
     * @param jmx whether there are MBeans even if nothing seems to read them
     */
    public record Service(
            String name, Duration grace, Duration drainDelay, List<Connector> connectors, Engine engine, boolean jmx) {

        /** Those for requests of clients. */
        public List<Connector> serving() {
            return connectors.stream().filter(connector -> !connector.isAdmin()).toList();
        }

        /** Those for administration. */
        public List<Connector> administrative() {
            return connectors.stream().filter(Connector::isAdmin).toList();
        }
    }

    /**
     * One port.
     *
     * @param port 0 for any free one; includes portOffset
     * @param portOffset of the Server
     * @param transport name of the transport that the attribute protocol selects
     * @param executor the shared thread pool; null if it has its own
     * @param tls null without TLS
     * @param http2 the UpgradeProtocol of HTTP/2; null if it is off
     * @param spdy the element that enables each version of SPDY, the most preferred first
     */
    public record Connector(
            Element element,
            int port,
            int portOffset,
            String transport,
            @Nullable Element executor,
            @Nullable TlsOptions tls,
            @Nullable Element http2,
            List<Element> spdy) {

        /** What {@code check} and the log add to the name of its transport; empty if that is named or usual. */
        public String transportRemark() {
            return Protocols.isOnDefault(element.get(ConnectorKind.PROTOCOL)) ? DefaultTransport.remark(transport) : "";
        }

        /** Whether it is for administration only. */
        public boolean isAdmin() {
            return element.find(ConnectorKind.ROLE) != null;
        }

        /** Whether it is for AJP, not HTTP. */
        public boolean isAjp() {
            return element.kind() instanceof AjpConnector;
        }

        /** Whether it is for SPDY only. */
        public boolean isSpdy() {
            return element.kind() instanceof SpdyConnector;
        }

        /** Null for all addresses. */
        public @Nullable String address() {
            String address = element.find(ConnectorKind.ADDRESS);
            return address == null && isAdmin() ? "127.0.0.1" : address;
        }

        /** The settings of its attributes and of its Executor; without {@code loop} if the transport is not nio. */
        public Settings settings() {
            Settings settings = element.settings();
            int redirect = settings.get(REDIRECT_PORT);
            if (portOffset > 0 && redirect > 0) {
                settings = settings.with(REDIRECT_PORT, Math.min(redirect + portOffset, 65_535));
            }
            if (executor != null) {
                settings = settings.with(MAX_THREADS, executor.get(MAX_THREADS))
                        .with(THREADS, isVirtual() ? Threads.VIRTUAL : Threads.PLATFORM);
            }
            return transport.equals("nio") ? settings : settings.with(LOOP, "");
        }

        /** Whether each of its requests runs on a virtual thread. */
        public boolean isVirtual() {
            return executor == null ? element.get(THREADS) == Threads.VIRTUAL : ThreadPools.isVirtual(executor);
        }

        /** The element with the thread limits: the executor if it names one. */
        public Element threads() {
            return executor == null ? element : executor;
        }
    }

    /**
     * The virtual hosts.
     *
     * @param name for the names of its applications' loggers
     * @param jvmRoute the suffix of session ids, for load balancers; empty for none
     * @param valves in the order in which they process requests, without access logs and health check
     * @param healthPath the path of the health check; null for none
     * @param healthOfApplications whether the server is healthy only if its applications run
     */
    public record Engine(
            String name,
            String defaultHost,
            String jvmRoute,
            List<Host> hosts,
            List<Element> accessLogs,
            List<Element> valves,
            @Nullable String healthPath,
            boolean healthOfApplications) {}

    /**
     * One virtual host: the applications in its appBase and those of its Context and Proxy elements.
     *
     * @param valves like its engine's, which process requests first
     * @param realm its own, or its engine's; null if no user can log in
     * @param cluster its own, or its engine's; null if its applications share no sessions
     * @param contextFiles the files with further Context elements
     */
    public record Host(
            Element element,
            String name,
            List<String> aliases,
            Path appBase,
            List<Context> contexts,
            List<Proxy> proxies,
            List<Element> accessLogs,
            List<Element> valves,
            @Nullable Realm realm,
            @Nullable Element cluster,
            ContextFiles contextFiles) {}

    /**
     * One web application named in the file.
     *
     * @param reading its Context elements
     */
    public record Context(Element element, String path, Path docBase, ContextReading reading) {}
}
