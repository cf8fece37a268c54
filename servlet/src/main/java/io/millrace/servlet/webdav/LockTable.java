package io.millrace.servlet.webdav;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The locks of an application's files, in memory: they end with the application. Any thread. */
final class LockTable {

    /** More would fill the memory: each keeps the owner that its client sent. */
    static final int MAX_LOCKS = 4096;

    private final LongSupplier clock;
    private final TreeMap<String, List<DavLock>> byPath = new TreeMap<>();
    private int count;

    /** The clock in nanoseconds, as System.nanoTime. */
    LockTable(LongSupplier clock) {
        this.clock = clock;
    }

    /** What a client asks for. */
    record Wish(
            String path,
            boolean deep,
            boolean exclusive,
            String owner,
            @Nullable String user,
            long seconds) {}

    /**
     * Makes a lock unless others are in the way.
     *
     * @param conflicts receives those that are
     * @return null if there are any
     * @throws DavFault 507 if there are too many locks already
     */
    synchronized @Nullable DavLock grant(Wish wish, List<DavLock> conflicts) throws DavFault {
        List<DavLock> others = new ArrayList<>(covering(wish.path()));
        if (wish.deep()) {
            others.addAll(below(wish.path()));
        }
        others.stream().filter(other -> wish.exclusive() || other.exclusive()).forEach(conflicts::add);
        if (!conflicts.isEmpty()) {
            return null;
        }
        if (count >= MAX_LOCKS) {
            dropExpired();
        }
        if (count >= MAX_LOCKS) {
            throw new DavFault(DavFault.INSUFFICIENT_STORAGE);
        }
        DavLock lock = new DavLock(
                "urn:uuid:" + UUID.randomUUID(), // 122 bits of a SecureRandom
                wish.path(),
                wish.deep(),
                wish.exclusive(),
                wish.owner(),
                wish.user(),
                wish.seconds(),
                end(wish.seconds()));
        add(lock);
        return lock;
    }

    /** Begins its time anew; null if it is gone. */
    synchronized @Nullable DavLock refresh(DavLock old, long seconds) {
        if (!remove(old)) {
            return null;
        }
        DavLock lock = new DavLock(
                old.token(), old.path(), old.deep(), old.exclusive(), old.owner(), old.user(), seconds, end(seconds));
        add(lock);
        return lock;
    }

    /** False if it was gone. */
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

    /** Those that lock a resource, by itself or from a collection above. */
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

    /** Those of members of a collection, and theirs. */
    synchronized List<DavLock> below(String path) {
        List<DavLock> found = new ArrayList<>();
        // '0' is the character after the slash
        byPath.subMap(path + "/", path + "0")
                .values()
                .forEach(locks -> locks.stream().filter(this::isAlive).forEach(found::add));
        return found;
    }

    /** Ends those of a resource and of what is below it, as far as it is no more. */
    void forget(String path, Predicate<String> isGone) {
        List<DavLock> all = below(path);
        all.addAll(covering(path));
        all.stream().filter(lock -> isGone.test(lock.path())).forEach(this::remove);
    }

    /** For how long it will last yet. */
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
