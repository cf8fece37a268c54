package io.millrace.standalone.config;

import static io.millrace.io.TransportOptions.LOOP;
import static io.millrace.io.TransportOptions.MAX_THREADS;
import static io.millrace.io.TransportOptions.THREADS;
import static io.millrace.servlet.settings.ServletOptions.REDIRECT_PORT;

import io.millrace.io.TransportOptions.Threads;
import io.millrace.proxy.ProxyApplication;
import io.millrace.settings.Settings;
import io.millrace.tls.TlsOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a server.xml says, as far as it has an effect. */
public record ServerConfig(List<Service> services) {

    /**
     * Connectors and the one engine that answers on all of them.
     *
     * @param grace how long running requests may take when it stops
     * @param drainDelay how long it goes on accepting after its health turned DOWN
     */
    public record Service(
            String name, Duration grace, Duration drainDelay, List<Connector> connectors, Engine engine) {}

    /**
     * One port.
     *
     * @param port 0 for any free one; moved by the portOffset already
     * @param portOffset what the Server adds to all ports
     * @param transport name of the transport that its protocol attribute means
     * @param executor the shared thread pool it names; null if it has its own
     * @param tls null for plain text
     * @param http2 what is said of HTTP/2; null if it is not spoken
     * @param spdy what is said of each version of SPDY that is spoken, the most preferred first
     */
    public record Connector(
            Values values,
            int port,
            int portOffset,
            String transport,
            @Nullable Values executor,
            @Nullable TlsOptions tls,
            @Nullable Values http2,
            List<Values> spdy) {

        /** Does it speak AJP, rather than HTTP? */
        public boolean isAjp() {
            return Protocols.isAjp(values.text("protocol"));
        }

        /** Does it speak SPDY and nothing else? */
        public boolean isSpdy() {
            return SpdyVocabulary.isSpdy(values.text("protocol"));
        }

        /** Null for all addresses. */
        public @Nullable String address() {
            return values.text("address");
        }

        /** Those of its attributes, and of the Executor that it names; its event loop is another transport's affair. */
        public Settings settings() {
            Settings settings = values.settings();
            int redirect = settings.get(REDIRECT_PORT);
            if (portOffset > 0 && redirect > 0) {
                settings = settings.with(REDIRECT_PORT, Math.min(redirect + portOffset, 65_535));
            }
            if (executor != null) {
                settings = settings.with(MAX_THREADS, executor.number("maxThreads"))
                        .with(THREADS, isVirtual() ? Threads.VIRTUAL : Threads.PLATFORM);
            }
            return transport.equals("nio") ? settings : settings.with(LOOP, "");
        }

        /** Does each of its requests get a virtual thread? */
        public boolean isVirtual() {
            return executor == null ? values.flag("useVirtualThreads") : ThreadPools.isVirtual(executor);
        }

        /** Where the thread limits stand: on the executor if it names one. */
        public Values threads() {
            return executor == null ? values : executor;
        }
    }

    /**
     * The virtual hosts.
     *
     * @param name as in the names of its applications' loggers
     * @param jvmRoute what session ids end with, for load balancers; empty for nothing
     * @param valves those that say what front ends did, or who is let in, in the order in which requests meet them
     * @param healthPath where the server's health is told; null for nowhere
     */
    public record Engine(
            String name,
            String defaultHost,
            String jvmRoute,
            List<Host> hosts,
            List<Values> accessLogs,
            List<Values> valves,
            @Nullable String healthPath) {}

    /**
     * One virtual host: what lies in its appBase and what its Context and Proxy elements name.
     *
     * @param valves as its engine's, which requests meet first
     * @param realm its own, or its engine's; null: nobody can log in
     * @param contextFiles where more Context elements are
     */
    public record Host(
            Values values,
            String name,
            List<String> aliases,
            Path appBase,
            List<Context> contexts,
            List<Proxy> proxies,
            List<Values> accessLogs,
            List<Values> valves,
            @Nullable RealmConfig realm,
            ContextFiles contextFiles) {}

    /** Requests below a path that other servers answer. */
    public record Proxy(Values values, ProxyApplication application) {}

    /**
     * One web application named in the file.
     *
     * @param reading all that is said of it
     */
    public record Context(Values values, String path, Path docBase, ContextReading reading) {}
}
