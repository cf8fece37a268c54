package io.millrace.standalone;

import io.millrace.standalone.admin.Administration;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.ServerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the files of an application in the places from which it is deployed, and the earlier ones back if it does not start. Files
 * appear whole. Earlier files are kept beside appBase's applications, under a name that is no application's, until it is closed.
 */
final class Replacement implements AutoCloseable {

    private final ServerConfig.Host host;
    private final ContextName name;

    /** Where each file was, and where it is now; null if there was none. */
    private final Map<Path, @Nullable Path> earlier = new LinkedHashMap<>();

    private boolean kept;

    Replacement(ServerConfig.Host host, ContextName name) {
        this.host = host;
        this.name = name;
    }

    /** Moves earlier files away and puts the new ones in their place. */
    void put(Administration.Source source) throws IOException {
        Path war = source.war();
        if (war != null) {
            Path archive = host.appBase().resolve(name.fileName() + ".war");
            Path directory = host.appBase().resolve(name.fileName());
            Files.createDirectories(host.appBase());
            boolean isDirectory = Files.isDirectory(war);
            Path target = isDirectory ? directory : archive;
            if (!war.toRealPath().equals(real(target))) {
                Path ready = hidden(target);
                copy(war, ready, source.moved());
                away(archive);
                away(directory);
                Files.move(ready, target);
            }
        }
        Path config = source.config();
        Path own = host.contextFiles().own(name.fileName());
        if (config != null && own != null && !config.toRealPath().equals(real(own))) {
            Files.createDirectories(own.resolveSibling("."));
            away(own);
            Files.copy(config, own);
        }
    }

    private static @Nullable Path real(Path file) throws IOException {
        return Files.exists(file) ? file.toRealPath() : null;
    }

    /** In the same directory, so that a move is a renaming. No scan of appBase considers it. */
    private static Path hidden(Path target) {
        return target.resolveSibling("." + UUID.randomUUID());
    }

    private void away(Path place) throws IOException {
        Path aside = Files.exists(place) ? hidden(place) : null;
        if (aside != null) {
            Files.move(place, aside);
        }
        earlier.put(place, aside);
    }

    private static void copy(Path from, Path to, boolean moved) throws IOException {
        if (moved) {
            try {
                Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
                return;
            } catch (AtomicMoveNotSupportedException otherFileSystem) {
                // copied below
            }
        }
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** The new files stay. */
    void keep() {
        kept = true;
    }

    /** Puts the earlier files back. */
    void restore() throws IOException {
        kept = true;
        for (Map.Entry<Path, @Nullable Path> file : List.copyOf(earlier.entrySet())) {
            delete(file.getKey());
            Path aside = file.getValue();
            if (aside != null) {
                Files.move(aside, file.getKey());
            }
        }
        earlier.clear();
    }

    /** Deletes the earlier files, or puts them back if the new ones were not kept. */
    @Override
    public void close() throws IOException {
        if (!kept) {
            restore();
        }
        for (Path aside : earlier.values()) {
            if (aside != null) {
                delete(aside);
            }
        }
    }

    private static void delete(Path place) throws IOException {
        if (!Files.exists(place)) {
            return;
        }
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
