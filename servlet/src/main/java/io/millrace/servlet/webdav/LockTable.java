package io.millrace.servlet.webdav;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The locks of an application's files, in memory: they end with the application. Thread-safe. */
final class LockTable {

    /** Bounds memory: each lock has the owner element that its client sent. */
    static final int MAX_LOCKS = 4096;

    private final LongSupplier clock;
    private final TreeMap<String, List<DavLock>> byPath = new TreeMap<>();
    private int count;

    /** Creates an empty table, with a clock in nanoseconds such as System.nanoTime. */
    LockTable(LongSupplier clock) {
        this.clock = clock;
    }

    /** A lock that a client requests. */
    record LockRequest(
            String path,
            boolean deep,
            boolean exclusive,
            String owner,
            @Nullable String user,
            long seconds) {}

    /**
     * Creates a lock unless others conflict.
     *
     * @param conflicts receives the conflicting locks
     * @return null if there are any
     * @throws DavFault 507 if there are too many locks
     */
    synchronized @Nullable DavLock grant(LockRequest requested, List<DavLock> conflicts) throws DavFault {
        List<DavLock> others = new ArrayList<>(covering(requested.path()));
        if (requested.deep()) {
            others.addAll(below(requested.path()));
        }
        others.stream()
                .filter(other -> requested.exclusive() || other.exclusive())
                .forEach(conflicts::add);
        if (!conflicts.isEmpty()) {
            return null;
        }
        if (count >= MAX_LOCKS) {
            dropExpired();
        }
        if (count >= MAX_LOCKS) {
            throw new DavFault(MultiStatus.INSUFFICIENT_STORAGE);
        }
        DavLock lock = new DavLock(
                "urn:uuid:" + UUID.randomUUID(), // 122 bits of a SecureRandom
                requested.path(),
                requested.deep(),
                requested.exclusive(),
                requested.owner(),
                requested.user(),
                requested.seconds(),
                end(requested.seconds()));
        add(lock);
        return lock;
    }

    /** Restarts the timeout of a lock; null if it no longer exists. */
    synchronized @Nullable DavLock refresh(DavLock old, long seconds) {
        if (!remove(old)) {
            return null;
        }
        DavLock lock = new DavLock(
                old.token(), old.path(), old.deep(), old.exclusive(), old.owner(), old.user(), seconds, end(seconds));
        add(lock);
        return lock;
    }

    /** Removes a lock; false if it no longer exists. */
    synchronized boolean remove(DavLock lock) {
        List<DavLock> there = byPath.get(lock.path());
        if (there == null || !there.removeIf(each -> each.token().equals(lock.token()))) {
            return false;
        }
        count--;
        if (there.isEmpty()) {
            byPath.remove(lock.path());
        }
        return true;
    }

    /** The locks of a resource: its own, and deep locks of collections above it. */
    synchronized List<DavLock> covering(String path) {
        List<DavLock> found = new ArrayList<>();
        for (String at = path; ; at = DavPath.parent(at)) {
            for (DavLock lock : byPath.getOrDefault(at, List.of())) {
                if (isAlive(lock) && lock.covers(path)) {
                    found.add(lock);
                }
            }
            if (DavPath.isRoot(at)) {
                return found;
            }
        }
    }

    /** The locks of everything below a collection. */
    synchronized List<DavLock> below(String path) {
        List<DavLock> found = new ArrayList<>();
        // '0' is the character after the slash
        byPath.subMap(path + "/", path + "0")
                .values()
                .forEach(locks -> locks.stream().filter(this::isAlive).forEach(found::add));
        return found;
    }

    /** Removes the locks of a resource and everything below it that no longer exists. */
    void forget(String path, Predicate<String> isGone) {
        List<DavLock> all = below(path);
        all.addAll(covering(path));
        all.stream().filter(lock -> isGone.test(lock.path())).forEach(this::remove);
    }

    /** The remaining time of a lock. */
    long secondsLeft(DavLock lock) {
        return Math.max(0, TimeUnit.NANOSECONDS.toSeconds(lock.expires() - clock.getAsLong()));
    }

    private void add(DavLock lock) {
        byPath.computeIfAbsent(lock.path(), key -> new ArrayList<>()).add(lock);
        count++;
    }

    private void dropExpired() {
        byPath.values().stream()
                .flatMap(List::stream)
                .filter(lock -> !isAlive(lock))
                .toList()
                .forEach(this::remove);
    }

    private boolean isAlive(DavLock lock) {
        return lock.expires() - clock.getAsLong() > 0;
    }

    private long end(long seconds) {
        return clock.getAsLong() + TimeUnit.SECONDS.toNanos(seconds);
    }
}
