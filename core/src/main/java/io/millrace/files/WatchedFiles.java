package io.millrace.files;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The files of a cache that the system tells of: what is known of them is looked at again when they change. Any thread. */
final class WatchedFiles implements DirectoryWatch.Listener {

    private final long freshnessNanos;
    private final Consumer<CachedFile> replaced;

    /** What hangs on a file; guarded by this. */
    private final Map<Path, Set<CachedFile>> files = new HashMap<>();

    /**
     * None yet.
     *
     * @param freshnessNanos for how long the cache trusts what it knows
     * @param replaced called with files that were deleted or have another in their place; must not wait
     */
    WatchedFiles(long freshnessNanos, Consumer<CachedFile> replaced) {
        this.freshnessNanos = freshnessNanos;
        this.replaced = replaced;
    }

    /**
     * Watches a file for one of its forms.
     *
     * @param path where the form lies; null if it is part of something else, and is not watched
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

    /** Nothing is kept of it any more. Its directory stays watched: others lie there. */
    synchronized void remove(CachedFile file) {
        for (Representation form : file.forms()) {
            Path path = form.file().file();
            Set<CachedFile> hanging = path == null ? null : files.get(path);
            if (hanging != null && hanging.remove(file) && hanging.isEmpty()) {
                files.remove(path);
            }
        }
    }

    @Override
    public void changed(Path directory, @Nullable Path name, boolean gone) {
        Set<CachedFile> stale = new HashSet<>();
        synchronized (this) {
            if (name == null) {
                files.forEach((path, hanging) -> {
                    if (directory.equals(path.getParent())) {
                        stale.addAll(hanging);
                    }
                });
            } else {
                stale.addAll(files.getOrDefault(directory.resolve(name), Set.of()));
                String text = name.toString();
                int dot = text.lastIndexOf('.');
                if (dot > 0) { // it may be a compressed sibling
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

    /** Watches nothing any more. */
    void close() {
        synchronized (this) {
            files.clear();
        }
        DirectoryWatch.SHARED.remove(this);
    }
}
