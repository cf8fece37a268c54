package io.millrace.files;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files of a cache that the system tells of: what is known of them is looked at again when they change. Any thread. */
final class WatchedFiles implements DirectoryWatch.Listener {

    private final long freshnessNanos;

    /** What hangs on a file; guarded by this. */
    private final Map<Path, Set<CachedFile>> files = new HashMap<>();

    /**
     * None yet.
     *
     * @param freshnessNanos for how long the cache trusts what it knows
     */
    WatchedFiles(long freshnessNanos) {
        this.freshnessNanos = freshnessNanos;
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
    public synchronized void changed(Path directory, @Nullable Path name) {
        if (name == null) {
            files.keySet().stream()
                    .filter(path -> directory.equals(path.getParent()))
                    .forEach(this::expire);
            return;
        }
        expire(directory.resolve(name));
        String text = name.toString();
        int dot = text.lastIndexOf('.');
        if (dot > 0) {
            expire(directory.resolve(text.substring(0, dot))); // it may be a compressed sibling
        }
    }

    private void expire(Path path) {
        files.getOrDefault(path, Set.of()).forEach(file -> file.expire(freshnessNanos));
    }

    /** Watches nothing any more. */
    void close() {
        synchronized (this) {
            files.clear();
        }
        DirectoryWatch.SHARED.remove(this);
    }
}
