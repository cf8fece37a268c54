package io.millrace.cluster.infinispan;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.ShutdownHookBehavior;
import org.infinispan.conflict.MergePolicy;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.partitionhandling.PartitionHandling;
import org.infinispan.remoting.transport.Address;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.infinispan.topology.CacheTopology;
import org.infinispan.topology.LocalTopologyManager;
import org.jspecify.annotations.Nullable;

/**
 * This server in the cluster: one thread that joins, and afterwards watches. What it does next depends on its state:
 *
 * <pre>
 * joining    opens the port and finds the others; again each second if it fails
 * waiting    until each peer is a member or is known not to run, or a majority are members: SERVING
 * serving    sessions are read and written; while too many members are missing, Infinispan refuses that: DEGRADED
 * degraded   until they are back, or all that are missing are known to have ended: SERVING
 * closed     for ever
 * </pre>
 *
 * <p>A server does not run if its address refuses a connection, or has another member. Silence proves nothing: it may be the network that is
 * cut, and the server go on beyond the cut. As each server opens its port before it asks, two that start at the same time cannot both take
 * the other for one that does not run. Thread-safe.
 */
final class ClusterNode implements AutoCloseable {

    private static final String CACHE = "sessions";
    private static final long RETRY_MILLIS = 1_000;
    private static final long POLL_MILLIS = 50;
    private static final int WATCHES = 5;
    private static final int PROBE_MILLIS = 500;
    private static final long LOG_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** A new server gets its copies from the others before it serves. */
    private static final long TRANSFER_MINUTES = 10;

    private static final int CLOSE_SECONDS = 20;

    private final InfinispanOptions options;

    /** An answer of another server that arrives later than this, in milliseconds, is of no use to any request. */
    private final int goneMillis;

    /** How often the thread looks whether all is well, in milliseconds. */
    private final int watchMillis;

    /** Who has been suspended for so long may have been given up by the others ... */
    private final long pauseNanos;

    /** ... and has heard of it when so much time has passed. */
    private final long doubtNanos;

    private volatile Membership membership = new Membership();
    private volatile @Nullable AdvancedCache<byte[], byte[]> cache;
    private volatile String waitsFor = "it has not yet joined the other servers";
    private volatile boolean closed;

    /** When the thread was last seen, and until when what is in memory is not trusted. */
    private volatile long seen = System.nanoTime();

    private volatile long doubtEnds = System.nanoTime();

    // guarded by this
    private @Nullable Thread thread;

    // of the thread
    private @Nullable EmbeddedCacheManager manager;
    private long lastLine = System.nanoTime() - LOG_PAUSE_NANOS;
    private String lastOthers = "";

    ClusterNode(InfinispanOptions options) {
        this.options = options;
        goneMillis = options.dropTime() + options.verifyTime();
        watchMillis = options.dropTime() / WATCHES;
        pauseNanos = TimeUnit.MILLISECONDS.toNanos(options.dropTime());
        doubtNanos = TimeUnit.MILLISECONDS.toNanos(goneMillis + watchMillis);
    }

    /** Who is in the cluster; another one after each attempt to join. */
    Membership membership() {
        return membership;
    }

    /** Begins to join, once. */
    synchronized void start() {
        if (thread == null && !closed) {
            thread = new Thread(null, this::run, "infinispan-node-" + options.port(), 0, false);
            thread.setContextClassLoader(ClusterNode.class.getClassLoader());
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Leaves the cluster, whose other servers have copies of its sessions. */
    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            waitsFor = "this server has stopped";
            running = thread;
        }
        if (running != null) {
            running.interrupt();
            boolean interrupted = false;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
            while (running.isAlive() && System.nanoTime() - end < 0) {
                try {
                    TimeUnit.NANOSECONDS.timedJoin(running, end - System.nanoTime());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String toString() {
        return options.toString();
    }

    // ---- what stores ask

    /**
     * The cache, when it may be used.
     *
     * @throws IOException if it may not within the time
     */
    AdvancedCache<byte[], byte[]> cache(long nanos) throws IOException, InterruptedException {
        long end = System.nanoTime() + nanos;
        AdvancedCache<byte[], byte[]> open = cache;
        while (open == null) {
            if (closed || System.nanoTime() - end > 0) {
                throw new IOException(waitsFor);
            }
            awaitChange();
            open = cache;
        }
        if (!membership.awaitTrust(end - System.nanoTime())) {
            throw new IOException("another server of the cluster does not answer");
        }
        return open;
    }

    /** Whether what was just read was the latest. */
    boolean isTrusted() {
        long now = System.nanoTime();
        if (now - seen > pauseNanos && membership.size() > 1) { // the process was suspended, or has no processor
            doubtEnds = now + doubtNanos;
        }
        return membership.isTrusted() && now - doubtEnds >= 0;
    }

    /** Waits for a change of the cluster, for a moment at most. */
    void awaitChange() throws InterruptedException {
        membership.await(POLL_MILLIS);
    }

    // ---- the thread

    private void run() {
        while (!closed) {
            try {
                manager = connected();
                awaitPeers();
                serve(manager);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // it was closed
            } catch (Exception | Error e) { // of JGroups and Infinispan
                unavailable("it cannot join the other servers: " + reason(e) + "; it tries again each second");
            } finally {
                leave();
            }
            pause(RETRY_MILLIS);
        }
    }

    private void pause(long millis) {
        try {
            membership.await(closed ? 1 : millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void leave() {
        EmbeddedCacheManager joined = manager;
        cache = null;
        manager = null;
        if (joined != null) {
            boolean interrupted = Thread.interrupted(); // it waits for the others, which would fail at once
            try {
                joined.stop();
            } catch (RuntimeException | Error e) {
                unavailable("it could not leave the cluster: " + reason(e));
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void awaitPeers() throws InterruptedException {
        String missing = missing();
        while (missing != null) {
            unavailable(missing);
            membership.await(POLL_MILLIS);
            missing = missing();
        }
    }

    private EmbeddedCacheManager connected() throws Exception {
        GlobalConfigurationBuilder global = new GlobalConfigurationBuilder();
        global.cacheManagerName(options.clusterName());
        global.classLoader(ClusterNode.class.getClassLoader());
        global.jmx().disable();
        global.metrics().gauges(false).histograms(false);
        global.shutdown().hookBehavior(ShutdownHookBehavior.DONT_REGISTER);
        if (!options.peers().isEmpty()) {
            membership = new Membership();
            global.transport()
                    .defaultTransport()
                    .addProperty(
                            JGroupsTransport.CHANNEL_CONFIGURATOR, new ClusterChannel(options, membership, toString()))
                    .clusterName(options.clusterName())
                    .distributedSyncTimeout(TRANSFER_MINUTES, TimeUnit.MINUTES);
        }
        DefaultCacheManager made = new DefaultCacheManager(global.build(), false);
        boolean started = false;
        try {
            made.start();
            started = options.peers().isEmpty() || membership.getProtocolStack() != null;
            if (!started) { // it would be one that listens on all interfaces, without the secret
                throw new IllegalStateException("Infinispan has not used the given channel");
            }
            return made;
        } finally {
            if (!started) {
                made.stop();
            }
        }
    }

    /**
     * After a cut, the copies of the majority count, or those of first owners where there was none: what was acknowledged is on all of them. A newer
     * copy, or one that the majority does not have, is of a write that nobody was told had succeeded, or of a session that has ended.
     */
    private ConfigurationBuilder sessions() {
        ConfigurationBuilder sessions = new ConfigurationBuilder();
        sessions.encoding().mediaType(MediaType.APPLICATION_OCTET_STREAM);
        if (!options.peers().isEmpty()) {
            sessions.clustering()
                    .cacheMode(CacheMode.DIST_SYNC)
                    .remoteTimeout(goneMillis, TimeUnit.MILLISECONDS)
                    .hash()
                    .numOwners(options.owners())
                    .stateTransfer()
                    .timeout(TRANSFER_MINUTES, TimeUnit.MINUTES)
                    .partitionHandling()
                    .whenSplit(PartitionHandling.DENY_READ_WRITES)
                    .mergePolicy(MergePolicy.PREFERRED_ALWAYS);
        }
        return sessions;
    }

    /** Which peers may have sessions that this server would not see; null if none has. */
    private @Nullable String missing() {
        List<InetSocketAddress> members = membership.places();
        List<String> silent = new ArrayList<>();
        int present = 1;
        int all = 1;
        for (InfinispanOptions.Peer peer : options.peers()) {
            try {
                InetSocketAddress place = peer.resolve();
                if (isOwn(place)) {
                    continue;
                }
                all++;
                if (members.contains(place)) {
                    present++;
                } else if (!refuses(place)) {
                    silent.add(peer.toString());
                }
            } catch (UnknownHostException e) {
                all++;
                silent.add(peer + " (an unknown host)");
            }
        }
        return silent.isEmpty() || 2 * present > all
                ? null
                : "this server waits for " + String.join(", ", silent)
                        + ", which may have sessions: start it, open its port for this server, or take it out of peers";
    }

    private boolean isOwn(InetSocketAddress place) throws UnknownHostException {
        return place.getPort() == options.port() && place.getAddress().equals(InetAddress.getByName(options.address()));
    }

    private void serve(EmbeddedCacheManager joined) throws InterruptedException {
        joined.defineConfiguration(CACHE, sessions().build());
        AdvancedCache<byte[], byte[]> open =
                joined.<byte[], byte[]>getCache(CACHE).getAdvancedCache();
        seen = System.nanoTime();
        cache = open;
        while (!closed) {
            boolean available = false;
            try {
                available = watch(open);
            } catch (RuntimeException | OutOfMemoryError e) { // without others, leaving would lose the sessions
                unavailable("it failed: " + reason(e));
            }
            membership.await(available ? watchMillis : POLL_MILLIS);
        }
    }

    /** Returns whether enough servers are there. */
    private boolean watch(AdvancedCache<byte[], byte[]> open) {
        isTrusted(); // notices that it was suspended
        seen = System.nanoTime();
        List<org.jgroups.Address> members = membership.members();
        if (open.getAvailability() != AvailabilityMode.AVAILABLE) {
            recover(open);
            return false;
        }
        boolean settled = members.isEmpty()
                || members.containsAll(open.getDistributionManager().getCacheTopology().getActualMembers().stream()
                        .map(Address::toExtendedUUID)
                        .toList());
        if (settled) {
            membership.settle(members);
            reportMembers();
        }
        return settled;
    }

    private void reportMembers() {
        String others = membership.places().stream()
                .filter(place -> !isOwnOrUnknown(place))
                .map(ClusterNode::name)
                .sorted()
                .collect(Collectors.joining(", "));
        if (!others.equals(lastOthers)) {
            lastOthers = others;
            InfinispanLog.LOG.shared(toString(), others.isEmpty() ? "no other server" : others);
        }
    }

    private boolean isOwnOrUnknown(InetSocketAddress place) {
        try {
            return isOwn(place);
        } catch (UnknownHostException e) {
            return true;
        }
    }

    /** Goes on without the members that are missing, if all of them have ended. */
    private void recover(AdvancedCache<byte[], byte[]> open) {
        CacheTopology last = stable(open);
        if (last == null) {
            return; // it has just joined
        }
        List<Address> present = open.getDistributionManager().getCacheTopology().getActualMembers();
        List<Address> gone = last.getMembers().stream()
                .filter(member -> !present.contains(member))
                .toList();
        List<String> alive = new ArrayList<>();
        List<String> ended = new ArrayList<>();
        for (Address lost : gone) {
            org.jgroups.Address member = Address.toExtendedUUID(lost);
            if (membership.isMember(member)) {
                return; // it is back, and Infinispan is about to notice
            }
            (hasEnded(member) ? ended : alive).add(name(member));
        }
        int known = last.getMembers().size();
        if (alive.isEmpty() && 2 * (known - gone.size()) < known) {
            unavailable("of the " + known + " servers more than half have ended at once (" + String.join(", ", ended)
                    + "), and may have changed sessions without this one before that; restart it: it begins without"
                    + " sessions if it is the only one");
        } else if (!gone.isEmpty() && alive.isEmpty()) {
            InfinispanLog.LOG.without(toString(), String.join(", ", ended));
            open.setAvailability(AvailabilityMode.AVAILABLE);
        } else if (!alive.isEmpty()) {
            unavailable(
                    "of the " + known + " servers half or more do not answer ("
                            + String.join(", ", alive)
                            + "), and may have changed sessions; restore the network to them, or end their processes, or start them again");
        }
    }

    /** The servers as they were when all of them had their copies; null before that. */
    static @Nullable CacheTopology stable(AdvancedCache<byte[], byte[]> open) {
        return ComponentRegistry.of(open)
                .getComponent(LocalTopologyManager.class)
                .getStableCacheTopology(CACHE);
    }

    /** A port has one process: if another member has it, the process that had it before has ended. */
    private boolean hasEnded(org.jgroups.Address member) {
        InetSocketAddress place = membership.place(member);
        return membership.isReplaced(member) || place != null && refuses(place);
    }

    private String name(org.jgroups.Address member) {
        InetSocketAddress place = membership.place(member);
        return place == null ? "a server" : name(place);
    }

    private static String name(InetSocketAddress place) {
        return new InfinispanOptions.Peer(place.getAddress().getHostAddress(), place.getPort()).toString();
    }

    /** Whether nobody listens at an address, as its machine says. */
    private static boolean refuses(InetSocketAddress place) {
        try (Socket socket = new Socket()) {
            socket.connect(place, PROBE_MILLIS);
            return false;
        } catch (ConnectException e) { // also if there is no route to the network, or after a long time
            return String.valueOf(e.getMessage()).startsWith("Connection refused");
        } catch (IOException e) {
            return false;
        }
    }

    private void unavailable(String reason) {
        if (closed) {
            return;
        }
        waitsFor = reason;
        long now = System.nanoTime();
        if (now - lastLine >= LOG_PAUSE_NANOS) {
            lastLine = now;
            InfinispanLog.LOG.unavailable(toString(), reason);
        }
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage() == null ? root : root.getMessage());
    }

    // ---- what an operator should correct

    /** Looks at the other servers, and connects to no cluster. */
    List<String> inspect(Duration timeout) {
        synchronized (this) {
            if (thread != null) {
                return cache == null ? List.of(waitsFor) : List.of();
            }
        }
        List<String> found = new ArrayList<>();
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getByName(options.address()))) {
            any.getLocalPort();
        } catch (IOException e) {
            found.add("address=\"" + options.address() + "\" is not an address of this machine (" + e.getMessage()
                    + "); write one that the other servers reach");
        }
        for (InfinispanOptions.Peer peer : options.peers()) {
            try (Socket socket = new Socket()) {
                InetSocketAddress place = peer.resolve();
                if (!isOwn(place)) {
                    socket.connect(place, (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE));
                }
            } catch (IOException e) {
                found.add("the server at " + peer + " cannot be reached (" + reason(e)
                        + "); start it, open its port, or correct peers");
            }
        }
        return List.copyOf(found);
    }
}
