package io.millrace.files;

import io.millrace.io.Delays;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows files and holds contents. A file that is asked for often is admitted: its content is copied into memory, or it is
 * kept open. When room is wanted, a hand goes round: who was asked for since it passed last stays, who was not goes (the
 * clock algorithm: least recently used, nearly, and an access costs one write at most). What goes is freed when the last
 * transfer of it has ended.
 *
 * <p><b>Threads.</b> Any. Looking up takes no lock; changes do, for as long as no file is read.
 */
final class FileCache {

    /** Uncached, a smaller file is read by whoever serves it, so that it leaves in one piece with its head. */
    private static final int SMALL = 48 * 1024;

    /** What is not larger costs the kernel less to copy than to send by the page. */
    private static final int COPIED = 64 * 1024;

    /** An open file that was not asked for since is closed: it may have been deleted, and holds its disk space then. */
    private static final Duration IDLE = Duration.ofSeconds(2);

    private final CacheLimits limits;
    private final long freshnessNanos;
    private final long idleNanos;
    private final ConcurrentHashMap<String, CachedFile> files = new ConcurrentHashMap<>();
    private final SliceMemory memory;
    private final WatchedFiles watched;

    // guarded by this
    private final ArrayDeque<CachedFile> clock = new ArrayDeque<>();
    private final Set<Representation> open = Collections.newSetFromMap(new IdentityHashMap<>());

    FileCache(CacheLimits limits) {
        this(limits, IDLE);
    }

    /** For tests: open files that were not asked for during a time are closed. */
    FileCache(CacheLimits limits, Duration idle) {
        this.limits = limits;
        idleNanos = idle.toNanos();
        freshnessNanos = Delays.nanos(limits.freshness());
        memory = new SliceMemory(limits.bytes());
        watched = new WatchedFiles(freshnessNanos, this::closeFiles);
    }

    /** What is known under a key and need not be looked at again yet; null otherwise. */
    @Nullable
    CachedFile fresh(String key) {
        CachedFile known = files.get(key);
        return known != null && System.nanoTime() - known.checkedAt() <= freshnessNanos ? known : null;
    }

    /** Somebody has looked at a file: what is known of it now, with the contents held if nothing has changed. */
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

    /** There is nothing under this key any more. */
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
     * The content of a form, held for the caller, without waiting for a file system; null if it must be
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
        return content;
    }

    /**
     * The content of a form, held for the caller; admitted if it is asked for often. Null if it is neither a file of its own
     * nor small, and must be streamed.
     *
     * @param byKernel does the kernel send files to whoever asks? Once it is kept, its content serves those as well to whom it
     *     does not, and the other way round
     * @throws FileChangedException if the file is not any more what it was when it was looked up
     */
    @Nullable
    Content open(CachedFile file, Representation form, boolean byKernel) throws IOException {
        boolean admitted = file.accessed() >= limits.admission() && limits.files() > 0;
        Content known = form.retained();
        if (known instanceof OpenFile kept) {
            kept.used();
        }
        if (known != null && (!(known instanceof OpenFile kept) || kept.isCurrent())) {
            return known;
        }
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
        return passing(form.file());
    }

    /** Before its content is read: what changes afterwards is told, what changed before is found out by its stamp. */
    private void watch(CachedFile file, Representation form) {
        watched.add(file, form.file().file());
        if (!isKnown(file)) {
            watched.remove(file); // it was dropped meanwhile
        }
    }

    /** Of a file that is served once and not kept. */
    private static @Nullable Content passing(ServedFile file) throws IOException {
        if (file.length() <= SMALL) {
            return requireUnchanged(MemoryContent.read(file), file);
        }
        return opened(file);
    }

    /** To be kept; null if there is no room for it. */
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

    /** Null for what is no file of its own. */
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

    /** Makes room by letting go of others. Those that are being sent keep their memory meanwhile: then there is none. */
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

    /** The cache becomes a holder too, unless the file is not known any more or another thread was faster. */
    private synchronized void keep(CachedFile file, Representation form, Content made) {
        if (form.hasContent() || !isKnown(file) || !made.retain()) {
            return;
        }
        form.content(made);
        if (made instanceof OpenFile) {
            open.add(form);
            while (open.size() > limits.openFiles() && evict(OpenFile.class)) {
                // until there are few enough
            }
            IdleFiles.SHARED.add(this);
        }
    }

    /**
     * Closes the files that no response began with for a while.
     *
     * @return true if others are open
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

    /** By the thread that watches; where closing may wait, it is left to {@link IdleFiles}. */
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

    /** Lets one file go. */
    private void evict() {
        CachedFile victim = clock.remove();
        for (int i = clock.size(); i > 0 && victim.passed(); i--) {
            clock.add(victim);
            victim = clock.remove();
        }
        files.remove(victim.key(), victim);
        drop(victim);
    }

    /** Lets the contents of one file go that has one of this kind; false if none has. */
    private boolean evict(Class<? extends Content> kind) {
        for (int i = 2 * clock.size(); i > 0; i--) {
            CachedFile next = clock.remove();
            clock.add(next);
            if (!next.passed() && holds(next, kind) && drop(next)) {
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

    /** Releases all content: there will be no more requests. */
    void clear() {
        synchronized (this) {
            clock.forEach(this::drop);
            clock.clear();
            files.clear();
        }
        watched.close();
    }

    /** Bytes of memory in use, that of transfers under way included; for tests. */
    long memoryUsed() {
        return memory.used();
    }
}
