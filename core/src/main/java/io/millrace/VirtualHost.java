package io.millrace;

import io.millrace.exchange.HttpHandler;
import io.millrace.forwarded.Relay;
import io.millrace.handler.AccessLog;
import io.millrace.handler.AddressFilter;
import io.millrace.rewrite.RewriteRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A virtual host: its names, and the applications and handlers that serve it. Configured by one thread, before the
 * server starts.
 */
public final class VirtualHost {

    private final String name;
    private final List<String> aliases;
    private final List<Application> applications = new ArrayList<>();
    private @Nullable HttpHandler handler;
    private final List<AccessLog> accessLogs = new ArrayList<>();
    private boolean listsApplications;
    private volatile @Nullable HttpHandler router;
    private final List<UnaryOperator<HttpHandler>> wrappers = new ArrayList<>();

    private VirtualHost(String name, List<String> aliases) {
        this.name = name;
        this.aliases = aliases;
    }

    /**
     * A host with these names. Case and port are ignored when a request's host is compared with them.
     *
     * @param aliases further names; {@code *.example.org} matches all names with one label more
     */
    public static VirtualHost named(String name, String... aliases) {
        return new VirtualHost(name, List.of(aliases));
    }

    /** Adds an application, at its context path. */
    public VirtualHost application(Application application) {
        applications.add(application);
        return this;
    }

    /** Sets the handler of requests that belong to none of the applications. */
    public VirtualHost handler(HttpHandler fallback) {
        handler = fallback;
        return this;
    }

    /**
     * Whether a request of a browser for the root of this host gets a page with the context paths and names of the
     * applications, if there is neither an application at the root nor a {@linkplain #handler handler}. Default: false,
     * because the list tells visitors what else is deployed.
     */
    public VirtualHost listApplications(boolean value) {
        listsApplications = value;
        return this;
    }

    /**
     * Adds an access log of the requests to this host. May be called repeatedly. The server closes the logs when it has
     * stopped.
     */
    public VirtualHost accessLog(AccessLog log) {
        accessLogs.add(log);
        return this;
    }

    /**
     * Makes requests to this host report the client address, scheme and host that a trusted front end passes on in
     * header fields: to applications, and to an access log that is configured for it ({@link
     * io.millrace.handler.AccessLogBuilder#relayed}). It does not affect the choice of the virtual host. May be called
     * repeatedly, for a chain of front ends.
     */
    public VirtualHost forwarded(Relay relay) {
        wrappers.add(relay::wrap);
        return this;
    }

    /**
     * Admits only requests from client addresses that the filter allows, to applications, the handler and the server's
     * health at this host's name. The filter checks the address that the {@linkplain #forwarded relays} added before it
     * have reported; relays added later do not affect it.
     */
    public VirtualHost addressFilter(AddressFilter filter) {
        wrappers.add(filter::wrap);
        return this;
    }

    /**
     * Applies rewrite rules to requests before they reach the applications. Address filters, {@linkplain #forwarded
     * relays} and rules run in the order in which they were added. A request whose host is changed by a rule is passed
     * to the virtual host of that name.
     */
    public VirtualHost rewrite(RewriteRules rules) {
        wrappers.add(next -> rules.before(next, () -> {
            HttpHandler byHost = router;
            return byHost == null ? next : byHost;
        }));
        return this;
    }

    /**
     * Adds a handler that runs before the applications, the handler and the server's health. Address filters,
     * {@linkplain #forwarded relays}, rules and such handlers run in the order in which they were added.
     *
     * @param wrapper creates the handler; its argument is the handler to which that one passes requests on
     */
    public VirtualHost before(UnaryOperator<HttpHandler> wrapper) {
        wrappers.add(wrapper);
        return this;
    }

    /** The router of all virtual hosts; set once all of them have started. */
    void router(HttpHandler byHost) {
        router = byHost;
    }

    public String name() {
        return name;
    }

    /** The further names of this host. */
    public List<String> aliases() {
        return aliases;
    }

    List<Application> applications() {
        return List.copyOf(applications);
    }

    /** Wraps a handler in relays, address filters and rules; the one added first runs first. */
    HttpHandler wrap(HttpHandler content) {
        HttpHandler wrapped = content;
        for (int i = wrappers.size() - 1; i >= 0; i--) {
            wrapped = wrappers.get(i).apply(wrapped);
        }
        return wrapped;
    }

    boolean listsApplications() {
        return listsApplications;
    }

    @Nullable
    HttpHandler handler() {
        return handler;
    }

    List<AccessLog> accessLogs() {
        return accessLogs;
    }
}
