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

/** One site of a server: the names it answers to, and what it hosts. To be set up by one thread, before the start. */
public final class VirtualHost {

    private final String name;
    private final List<String> aliases;
    private final List<Application> applications = new ArrayList<>();
    private @Nullable HttpHandler handler;
    private final List<AccessLog> accessLogs = new ArrayList<>();
    private boolean listsApplications;
    private volatile @Nullable HttpHandler sites;
    private final List<UnaryOperator<HttpHandler>> wrappers = new ArrayList<>();

    private VirtualHost(String name, List<String> aliases) {
        this.name = name;
        this.aliases = aliases;
    }

    /**
     * A host that answers to these names, compared without case and port.
     *
     * @param aliases further names; {@code *.example.org} stands for all names below that domain
     */
    public static VirtualHost named(String name, String... aliases) {
        return new VirtualHost(name, List.of(aliases));
    }

    /** Hosts an application below its context path. */
    public VirtualHost application(Application application) {
        applications.add(application);
        return this;
    }

    /** Answers what no application does. */
    public VirtualHost handler(HttpHandler fallback) {
        handler = fallback;
        return this;
    }

    /**
     * Whether a browser that asks for the root of this host, where neither an application nor a {@linkplain #handler handler}
     * answers, is shown the context paths and the names of its applications. Otherwise it is not: who visits a site need not
     * know what else is there.
     */
    public VirtualHost listApplications(boolean value) {
        listsApplications = value;
        return this;
    }

    /** Logs the requests to this host; there may be several logs. The server closes them when it has stopped. */
    public VirtualHost accessLog(AccessLog log) {
        accessLogs.add(log);
        return this;
    }

    /**
     * Takes requests to this host as they were before a front end relayed them: for its applications, and for an access log
     * that {@linkplain io.millrace.handler.AccessLogBuilder#relayed logs them so}. The host has been chosen before. May be called
     * again for a front end in front of the front end.
     */
    public VirtualHost forwarded(Relay relay) {
        wrappers.add(relay::wrap);
        return this;
    }

    /**
     * Lets only those clients in that the filter admits: to its applications, its handler, and the server's health where it
     * is asked for by this host's name. Behind the front ends named {@linkplain #forwarded before} it is the client's
     * address that counts, before those named after it theirs.
     */
    public VirtualHost addressFilter(AddressFilter filter) {
        wrappers.add(filter::wrap);
        return this;
    }

    /**
     * Applies rules to requests to this host: before its applications, in the order in which these were added to address filters
     * and {@linkplain #forwarded relays}. A rule that changes the host leads to the site of that name.
     */
    public VirtualHost rewrite(RewriteRules rules) {
        wrappers.add(next -> rules.before(next, () -> {
            HttpHandler chooser = sites;
            return chooser == null ? next : chooser;
        }));
        return this;
    }

    /**
     * Puts a handler before its applications, its handler and the server's health, in the order in which it was added to address
     * filters, {@linkplain #forwarded relays} and rules.
     *
     * @param wrapper makes a handler that passes requests on to the one it is given
     */
    public VirtualHost before(UnaryOperator<HttpHandler> wrapper) {
        wrappers.add(wrapper);
        return this;
    }

    /** What chooses among all sites, as soon as all of them have started. */
    void sites(HttpHandler router) {
        sites = router;
    }

    public String name() {
        return name;
    }

    /** The further names. */
    public List<String> aliases() {
        return aliases;
    }

    List<Application> applications() {
        return List.copyOf(applications);
    }

    /** A handler behind its relays and address filters, in the order in which they were added. */
    HttpHandler wrap(HttpHandler site) {
        HttpHandler wrapped = site;
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
