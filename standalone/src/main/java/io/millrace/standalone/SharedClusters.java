package io.millrace.standalone;

import io.millrace.io.Timers;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.security.SingleSignOn;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.SharedValues;
import io.millrace.servlet.session.cluster.ClusterProvider;
import io.millrace.servlet.session.cluster.SessionCluster;
import io.millrace.servlet.session.store.SessionStore;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ClusterKind;
import io.millrace.standalone.config.schema.Element;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The engines of Cluster elements. Each is loaded from {@code lib/cluster/NAME} of the installation or of the base directory, by a
 * class loader of its own. Thread-safe.
 */
final class SharedClusters implements AutoCloseable {

    /** By the directory. Never unloaded: there is one for each kind of engine. */
    private static final Map<Path, ClassLoader> LOADERS = new ConcurrentHashMap<>();

    /** What engines are made of, which logs each failed connection with a stack trace; kept, as unused loggers are collected. */
    private static final List<Logger> LIBRARIES = Stream.of("redis.clients.jedis", "org.infinispan", "org.jgroups")
            .map(Logger::getLogger)
            .toList();

    private final Map<Element, Sharing> opened = new HashMap<>();

    /**
     * An engine, and how sessions are shared in it.
     *
     * @param sticky whether each session belongs to one server
     * @param replicationDelay how long a change of a sticky session may wait, in milliseconds
     * @param values what servers share that belongs to no application
     */
    record Sharing(SessionCluster engine, boolean sticky, int replicationDelay, SharedValues values) {

        /** Logins to several applications, which all servers share; while the engine does not answer, they count as sessions do. */
        SingleSignOn signOn(IdentityStore users, SingleSignOn.Options options) {
            return SingleSignOn.shared(users, options, values.map(), sticky);
        }

        /** The settings of an application's sessions, which are shared if it is distributable. */
        SessionSettings of(SessionSettings sessions, String application) {
            SessionStore store = engine.sessions(application);
            SessionStore beside = engine.sessions(application + " values");
            return sticky
                    ? sessions.with(SessionSettings.REPLICATION_DELAY, replicationDelay)
                            .stickyIfDistributable(store, beside)
                    : sessions.sharedIfDistributable(store, beside);
        }
    }

    /** Returns why an engine cannot be used; null if no reason is known. Does not connect. */
    static @Nullable String defect(Element cluster, Path base) {
        try {
            List<String> defects = provider(cluster, base).defects(ClusterKind.attributes(cluster), base);
            return defects.isEmpty() ? null : "Cluster: " + String.join("; ", defects);
        } catch (OperatorException e) {
            return e.getMessage();
        }
    }

    /**
     * The engine of an element, the same one at each call.
     *
     * @param container the name of the Engine or Host that the element is in: servers share logins if theirs have the same name
     * @throws OperatorException if it cannot be used; the message is the reason
     */
    synchronized Sharing of(Element cluster, String container, Path base, Timers timers) throws OperatorException {
        Sharing known = opened.get(cluster);
        if (known == null) {
            SessionCluster engine = open(cluster, base);
            known = new Sharing(
                    engine,
                    ClusterKind.isSticky(cluster),
                    ClusterKind.replicationDelay(cluster),
                    new SharedValues(engine.sessions("logins of " + container), "logins", timers));
            opened.put(cluster, known);
        }
        return known;
    }

    /** Opens an engine for the caller, who closes it. */
    static SessionCluster open(Element cluster, Path base) throws OperatorException {
        try {
            return provider(cluster, base).open(ClusterKind.attributes(cluster), base);
        } catch (IllegalArgumentException e) {
            throw new OperatorException("the Cluster in " + cluster.where() + ": " + e.getMessage());
        }
    }

    @Override
    public synchronized void close() {
        for (Sharing each : opened.values()) {
            each.values().close();
            each.engine().close();
        }
        opened.clear();
    }

    private static ClusterProvider provider(Element cluster, Path base) throws OperatorException {
        Path directory = ClusterKind.directory(cluster, base);
        if (directory != null) {
            for (ClusterProvider provider : ServiceLoader.load(
                    ClusterProvider.class, LOADERS.computeIfAbsent(directory, SharedClusters::loader))) {
                if (provider.name().equals(ClusterKind.engine(cluster))) {
                    return provider;
                }
            }
        }
        throw new OperatorException(ClusterKind.notInstalled(cluster));
    }

    private static ClassLoader loader(Path directory) {
        LIBRARIES.stream()
                .filter(library -> library.getLevel() == null)
                .forEach(library -> library.setLevel(Level.OFF)); // engines report what concerns the operator
        List<URL> jars = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.jar")) {
            for (Path jar : files) {
                jars.add(jar.toUri().toURL());
            }
        } catch (MalformedURLException e) {
            throw new IllegalStateException("a path has a URL", e);
        } catch (IOException e) {
            jars.clear(); // then there is no provider
        }
        return new URLClassLoader("cluster", jars.toArray(URL[]::new), new ServerOnly());
    }

    /** Of the server's classes, those that engines are written against; of its libraries, logging. */
    private static final class ServerOnly extends ClassLoader {

        private static final List<String> SHOWN = List.of("io.millrace.", "org.jboss.logging.", "javax.servlet.");

        private final ClassLoader server = SharedClusters.class.getClassLoader();

        ServerOnly() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (SHOWN.stream().noneMatch(name::startsWith)) {
                throw new ClassNotFoundException(name);
            }
            return server.loadClass(name);
        }
    }
}
