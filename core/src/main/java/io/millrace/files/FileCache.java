package io.millrace.files;

import io.millrace.io.Delays;
import io.millrace.metrics.MetricFamily;
import io.millrace.metrics.MetricGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The cache of files' attributes and contents. The content of a frequently requested file is admitted: it is copied into memory,
 * or the file is kept open. Eviction follows the clock algorithm, an approximation of LRU in which an access costs at most one
 * write: the hand evicts entries that were not requested since it last passed them. Evicted content is freed when its last
 * transfer has ended.
 *
 * <p>Thread-safe. Lookups take no lock; changes do, but do not hold it while reading a file.
 */
final class FileCache {

    /** The maximum size of an uncached file that is read at once, so that it is sent in one write with its head. */
    private static final int SMALL = 48 * 1024;

    /** Up to this size, copying from memory costs the kernel less than sending pages of a file. */
    private static final int COPIED = 64 * 1024;

    /** The idle timeout of open files: a deleted file keeps its disk space while it is open. */
    private static final Duration IDLE = Duration.ofSeconds(2);

    private static final MetricFamily BYTES = MetricFamily.gauge(
            "millrace_file_cache_bytes", "Memory for the contents of files, with those that are being sent");
    private static final MetricFamily REQUESTS = MetricFamily.counter(
            "millrace_file_cache_requests_total", "Contents of files that were sent; hit: in memory, or open already");

    private final CacheLimits limits;
    private final long freshnessNanos;
    private final long idleNanos;
    private final ConcurrentHashMap<String, CachedFile> files = new ConcurrentHashMap<>();
    private final SliceMemory memory;
    private final WatchedFiles watched;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();

    // guarded by this
    private final ArrayDeque<CachedFile> clock = new ArrayDeque<>();
    private final Set<Representation> open = Collections.newSetFromMap(new IdentityHashMap<>());

    FileCache(CacheLimits limits) {
        this(limits, IDLE);
    }

    /** For tests: with another idle timeout of open files. */
    FileCache(CacheLimits limits, Duration idle) {
        this.limits = limits;
        idleNanos = idle.toNanos();
        freshnessNanos = Delays.nanos(limits.freshness());
        memory = new SliceMemory(limits.bytes());
        watched = new WatchedFiles(freshnessNanos, this::closeFiles);
    }

    void addTo(MetricGroup group) {
        group.number(BYTES, this::memoryUsed);
        group.number(REQUESTS, hits::sum, "result", "hit");
        group.number(REQUESTS, misses::sum, "result", "miss");
    }

    /** The entry of a key, if it need not be checked again yet; otherwise null. */
    @Nullable
    CachedFile fresh(String key) {
        CachedFile known = files.get(key);
        return known != null && System.nanoTime() - known.checkedAt() <= freshnessNanos ? known : null;
    }

    /** Updates the entry of a file that was just looked up. Returns the known entry, with its contents, if nothing has changed. */
    CachedFile put(CachedFile seen) {
        CachedFile known = files.get(seen.key());
        if (known != null && known.isSameAs(seen)) {
            known.checked();
            return known;
        }
        if (limits.files() == 0) {
            return seen;
        }
        synchronized (this) {
            CachedFile replaced = files.put(seen.key(), seen);
            clock.add(seen);
            if (replaced != null) {
                clock.remove(replaced);
                drop(replaced);
            }
            while (clock.size() > limits.files()) {
                evict();
            }
        }
        return seen;
    }

    /** Removes the entry of a key whose file no longer exists. */
    void remove(String key) {
        CachedFile gone = files.get(key);
        if (gone != null) {
            synchronized (this) {
                if (files.remove(key, gone)) {
                    clock.remove(gone);
                    drop(gone);
                }
            }
        }
    }

    /**
     * The cached content of a representation, retained for the caller, without waiting for a file system; null if it must be
     * {@linkplain #open opened}.
     */
    @Nullable
    Content held(CachedFile file, Representation form) {
        if (form.content() instanceof OpenFile known && known.mayStall()) {
            return null;
        }
        Content content = form.retained();
        if (content != null) {
            file.accessed();
        }
        if (content instanceof OpenFile kept) {
            if (!kept.isCurrent()) {
                kept.release();
                file.expire(freshnessNanos);
                return null;
            }
            kept.used();
        }
        if (content != null) {
            hits.increment();
        }
        return content;
    }

    /**
     * The content of a representation, retained for the caller; admitted if it is frequently requested. Null if it is neither
     * small nor a file of its own, and must be streamed.
     *
     * @param byKernel whether the kernel can send files on this connection. An admitted content serves all connections, whether or
     *     not it can
     * @throws FileChangedException if the file has changed since it was looked up
     */
    @Nullable
    Content open(CachedFile file, Representation form, boolean byKernel) throws IOException {
        boolean admitted = file.accessed() >= limits.admission() && limits.files() > 0;
        Content known = form.retained();
        if (known instanceof OpenFile kept) {
            kept.used();
        }
        if (known != null && (!(known instanceof OpenFile kept) || kept.isCurrent())) {
            hits.increment();
            return known;
        }
        misses.increment();
        if (known != null) {
            known.release();
            forget(form);
        }
        if (admitted && limits.watching()) {
            watch(file, form);
        }
        Content made = admitted ? admissible(form.file(), byKernel) : null;
        if (made != null) {
            keep(file, form, made);
            return made;
        }
        return uncached(form.file());
    }

    /** Called before the content is read: later changes are reported, earlier ones are detected by the stamp. */
    private void watch(CachedFile file, Representation form) {
        watched.add(file, form.file().file());
        if (!isKnown(file)) {
            watched.remove(file); // it was evicted meanwhile
        }
    }

    /** The content of a file that is not admitted. */
    private static @Nullable Content uncached(ServedFile file) throws IOException {
        if (file.length() <= SMALL) {
            return requireUnchanged(MemoryContent.read(file), file);
        }
        return opened(file);
    }

    /** A content to be admitted; null if there is no room for it. */
    private @Nullable Content admissible(ServedFile file, boolean byKernel) throws IOException {
        boolean mayBeOpen = limits.openFiles() > 0;
        Content forKernel = byKernel && mayBeOpen && file.length() > COPIED ? opened(file) : null;
        if (forKernel != null) {
            return forKernel;
        }
        if (file.length() <= limits.fileBytes() && file.length() <= limits.bytes()) {
            List<SliceMemory.Slice> slices = allocate(file.length());
            if (slices != null) {
                return requireUnchanged(MemoryContent.read(file, memory, slices), file);
            }
        }
        return mayBeOpen && file.length() > SMALL ? opened(file) : null;
    }

    /** Null if it is not a file of its own. */
    private static @Nullable Content opened(ServedFile file) throws IOException {
        Path path = file.file();
        return path != null && file.stamp() instanceof FileStamp stamp
                ? requireUnchanged(OpenFile.open(path, stamp), file)
                : null;
    }

    private static Content requireUnchanged(@Nullable Content content, ServedFile file) throws FileChangedException {
        if (content == null) {
            throw new FileChangedException(file.name());
        }
        return content;
    }

    /** Makes room by evicting others. Null if that frees too little, because content in transfer keeps its memory. */
    private @Nullable List<SliceMemory.Slice> allocate(long bytes) {
        List<SliceMemory.Slice> slices = memory.allocate(bytes);
        while (slices == null) {
            synchronized (this) {
                if (!evict(MemoryContent.class)) {
                    return null;
                }
            }
            slices = memory.allocate(bytes);
        }
        return slices;
    }

    /** Retains the content for the cache, unless the entry was removed or another thread was faster. */
    private synchronized void keep(CachedFile file, Representation form, Content made) {
        if (form.hasContent() || !isKnown(file) || !made.retain()) {
            return;
        }
        form.content(made);
        if (made instanceof OpenFile) {
            open.add(form);
            while (open.size() > limits.openFiles() && evict(OpenFile.class)) {
                // evict until the limit is met
            }
            IdleFiles.SHARED.add(this);
        }
    }

    /**
     * Closes idle files.
     *
     * @return true if files are still open
     */
    synchronized boolean closeIdle() {
        long now = System.nanoTime();
        for (Representation form : List.copyOf(open)) {
            if (form.content() instanceof OpenFile kept && now - kept.usedAt() > idleNanos) {
                forget(form);
            }
        }
        return !open.isEmpty();
    }

    /** Called on the watch thread. A file whose close may block is left to {@link IdleFiles}. */
    private synchronized void closeFiles(CachedFile file) {
        for (Representation form : file.forms()) {
            if (form.content() instanceof OpenFile kept && !kept.mayStall()) {
                forget(form);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // this very entry
    private boolean isKnown(CachedFile file) {
        return files.get(file.key()) == file;
    }

    /** Evicts one entry. */
    private void evict() {
        CachedFile victim = clock.remove();
        for (int i = clock.size(); i > 0 && victim.clearReferenced(); i--) {
            clock.add(victim);
            victim = clock.remove();
        }
        files.remove(victim.key(), victim);
        drop(victim);
    }

    /** Frees the contents of one entry that has a content of this kind; false if there is none. */
    private boolean evict(Class<? extends Content> kind) {
        for (int i = 2 * clock.size(); i > 0; i--) {
            CachedFile next = clock.remove();
            clock.add(next);
            if (!next.clearReferenced() && holds(next, kind) && drop(next)) {
                return true;
            }
        }
        return false;
    }

    private static boolean holds(CachedFile file, Class<? extends Content> kind) {
        return file.forms().stream().anyMatch(form -> kind.isInstance(form.content()));
    }

    private boolean drop(CachedFile file) {
        boolean dropped = false;
        for (Representation form : file.forms()) {
            dropped |= forget(form);
        }
        watched.remove(file);
        return dropped;
    }

    private synchronized boolean forget(Representation form) {
        Content content = form.content();
        if (content == null) {
            return false;
        }
        form.content(null);
        open.remove(form);
        content.release();
        return true;
    }

    /** Removes all entries, after the last request. */
    void clear() {
        synchronized (this) {
            clock.forEach(this::drop);
            clock.clear();
            files.clear();
        }
        watched.close();
    }

    /** The number of bytes in use, including those of transfers in progress. */
    long memoryUsed() {
        return memory.used();
    }

    /**
     * Lets caches close idle files once a second, on one thread for the whole process, which runs while any file is open.
     * Thread-safe.
     */
    private static final class IdleFiles {

        static final IdleFiles SHARED = new IdleFiles();

        private static final Logger LOG = Logger.getLogger(FileCache.class);

        private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

        // guarded by this
        private final Set<FileCache> caches = Collections.newSetFromMap(new IdentityHashMap<>());
        private @Nullable Thread thread;

        /** A cache has an open file. */
        synchronized void add(FileCache cache) {
            caches.add(cache);
            if (thread == null) {
                // inherits no thread locals or class loader of the first caller: the thread may outlive that
                // application
                Thread made = new Thread(null, this::run, "millrace-idle-files", 0, false);
                made.setContextClassLoader(IdleFiles.class.getClassLoader());
                made.setDaemon(true);
                try {
                    made.start();
                    thread = made;
                } catch (
                        OutOfMemoryError none) { // the system cannot start a thread; the next admitted file tries again
                    LOG.debug("Cannot start the thread that closes idle files", none);
                }
            }
        }

        private void run() {
            List<FileCache> round = List.of();
            do {
                Thread.interrupted(); // park returns immediately while the flag is set
                LockSupport.parkNanos(PERIOD_NANOS);
                round = next();
                round.forEach(this::closeIdle);
            } while (!round.isEmpty());
        }

        /** Removes and returns all caches; those with open files are added again. If there are none, the thread ends. */
        private synchronized List<FileCache> next() {
            List<FileCache> round = new ArrayList<>(caches);
            caches.clear();
            if (round.isEmpty()) {
                thread = null;
            }
            return round;
        }

        private void closeIdle(FileCache cache) {
            boolean again = true;
            try {
                again = cache.closeIdle();
            } catch (RuntimeException | Error failure) {
                LOG.debug("Cannot close idle files", failure);
            } finally {
                if (again) {
                    add(cache);
                }
            }
        }
    }
}
