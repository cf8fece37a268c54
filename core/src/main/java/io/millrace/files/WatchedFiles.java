package io.millrace.files;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The files of a cache that are watched for changes: a change makes the next request check them. Thread-safe. */
final class WatchedFiles implements DirectoryWatch.Listener {

    private final long freshnessNanos;
    private final Consumer<CachedFile> replaced;

    /** The entries that depend on a file; guarded by this. */
    private final Map<Path, Set<CachedFile>> files = new HashMap<>();

    /**
     * Watches no files yet.
     *
     * @param freshnessNanos for how long the cache uses an entry without checking it
     * @param replaced called with files that were deleted or replaced; must not block
     */
    WatchedFiles(long freshnessNanos, Consumer<CachedFile> replaced) {
        this.freshnessNanos = freshnessNanos;
        this.replaced = replaced;
    }

    /**
     * Watches the file of one of an entry's representations.
     *
     * @param path the file; null if it is part of a JAR, for example, and cannot be watched
     */
    void add(CachedFile file, @Nullable Path path) {
        Path directory = path == null ? null : path.getParent();
        if (path == null || directory == null) {
            return;
        }
        synchronized (this) {
            files.computeIfAbsent(path, key -> new HashSet<>(2)).add(file);
        }
        DirectoryWatch.SHARED.add(directory, this);
    }

    /** Stops watching an entry's files. Their directories stay watched, because they may contain others. */
    synchronized void remove(CachedFile file) {
        for (Representation form : file.forms()) {
            Path path = form.file().file();
            Set<CachedFile> dependent = path == null ? null : files.get(path);
            if (dependent != null && dependent.remove(file) && dependent.isEmpty()) {
                files.remove(path);
            }
        }
    }

    @Override
    public void changed(Path directory, @Nullable Path name, boolean gone) {
        Set<CachedFile> stale = new HashSet<>();
        synchronized (this) {
            if (name == null) {
                files.forEach((path, dependent) -> {
                    if (directory.equals(path.getParent())) {
                        stale.addAll(dependent);
                    }
                });
            } else {
                stale.addAll(files.getOrDefault(directory.resolve(name), Set.of()));
                String text = name.toString();
                int dot = text.lastIndexOf('.');
                if (dot > 0) { // possibly a precompressed sibling
                    stale.addAll(files.getOrDefault(directory.resolve(text.substring(0, dot)), Set.of()));
                }
            }
        }
        for (CachedFile file : stale) {
            file.expire(freshnessNanos);
            if (gone) {
                replaced.accept(file);
            }
        }
    }

    /** Stops watching. */
    void close() {
        synchronized (this) {
            files.clear();
        }
        DirectoryWatch.SHARED.remove(this);
    }
}
