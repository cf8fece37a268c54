package io.millrace.standalone;

import io.millrace.io.Timers;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.LockOut;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.realm.RealmKind;
import io.millrace.standalone.config.schema.Element;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The objects of GlobalNamingResources and the engines of Clusters, shared by all that use them. Each is created at its first lookup and closed after
 * the server has stopped. Thread-safe.
 */
final class SharedResources implements AutoCloseable, RealmKind.Resources {

    private final ClassLoader server;
    private final Map<String, Shared> made = new HashMap<>();
    private final SharedClusters clusters = new SharedClusters();

    private record Shared(Object object, Map<String, String> attributes) {}

    /** @param server loads the factories and drivers of shared resources */
    SharedResources(ClassLoader server) {
        this.server = server;
    }

    /** Loads the factories, drivers and login modules of the server. */
    @Override
    public ClassLoader server() {
        return server;
    }

    /**
     * Returns the object of a name.
     *
     * @return null if it cannot be shared because only the application has the classes that it needs
     */
    @Override
    public synchronized @Nullable Object get(String name, Map<String, String> attributes) throws Exception {
        Shared known = made.get(name);
        if (known != null) {
            return known.object;
        }
        if (!NamedResources.isMadeBy(attributes, server)) {
            return null;
        }
        Object object = NamedResources.make(name, attributes, server);
        made.put(name, new Shared(object, attributes));
        return object;
    }

    /**
     * The engine of a Cluster element, the same one at each call.
     *
     * @param container the name of the Engine or Host that the element is in
     * @throws OperatorException if it cannot be used; the message is the reason
     */
    SharedClusters.Sharing cluster(Element cluster, String container, Path base, Timers timers)
            throws OperatorException {
        return clusters.of(cluster, container, base, timers);
    }

    /** The resources of a Realm whose users log in on all servers of a cluster. */
    RealmKind.Resources with(SharedClusters.Sharing cluster, String container) {
        return new RealmKind.Resources() {
            @Override
            public ClassLoader server() {
                return SharedResources.this.server();
            }

            @Override
            public @Nullable Object get(String name, Map<String, String> attributes) throws Exception {
                return SharedResources.this.get(name, attributes);
            }

            @Override
            public LockOut lockOut(IdentityStore users, int failures, Duration period, int capacity) {
                return new LockOut(
                        users, failures, period, capacity, cluster.values().map(), "lock-out of " + container);
            }
        };
    }

    @SuppressWarnings("ReferenceEquality") // identity is the question
    synchronized boolean has(Object object) {
        return made.values().stream().anyMatch(each -> each.object == object);
    }

    @Override
    public synchronized void close() {
        for (Shared each : made.values()) {
            try {
                NamedResources.close(each.object, each.attributes);
            } catch (Exception e) {
                Logger.getLogger(SharedResources.class).debugf(e, "%s was not closed", each.object);
            }
        }
        made.clear();
        clusters.close();
    }
}
