package io.millrace.servlet.webdav;

import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The application's files and their dead properties, as a modifiable tree. Nothing outside of the document base is modified, and
 * symbolic links are not followed: a link is deleted, not its target. Thread-safe.
 */
final class DavTree {

    private final ResourceTree resources;
    private final DeadProperties properties;
    private final Path temporary;
    private final boolean special;

    /**
     * The tree of an application.
     *
     * @param temporary the directory in which files are written before they are moved into place
     * @param special true if WEB-INF and META-INF are accessible
     */
    DavTree(ResourceTree resources, DeadProperties properties, Path temporary, boolean special) {
        this.resources = resources;
        this.properties = properties;
        this.temporary = temporary;
        this.special = special;
    }

    DeadProperties properties() {
        return properties;
    }

    /** Whether the path is not accessible to clients, in any spelling. */
    boolean isHidden(String path) {
        return !special && ResourceTree.isProtected(path);
    }

    /** The resource; null if it does not exist or is hidden. */
    @Nullable
    Resource find(String path) {
        return isHidden(path) ? null : resources.find(DavPath.isRoot(path) ? "/" : path);
    }

    boolean isCollection(String path) {
        Resource found = find(path);
        return found != null && found.isDirectory();
    }

    /** The paths of a collection's visible members. */
    List<String> members(String path) {
        List<String> members = new ArrayList<>();
        Set<String> listed = resources.list(path + "/");
        for (String each : listed == null ? Set.<String>of() : listed) {
            String member = DavPath.of(each);
            if (find(member) != null) {
                members.add(member);
            }
        }
        return members;
    }

    /** A resource and everything below it, parents first. */
    List<String> all(String path) {
        List<String> all = new ArrayList<>();
        all.add(path);
        for (int i = 0; i < all.size(); i++) {
            if (isCollection(all.get(i))) {
                all.addAll(members(all.get(i)));
            }
        }
        return all;
    }

    void createCollection(String path) throws IOException, DavFault {
        try {
            Files.createDirectory(place(path));
        } catch (FileAlreadyExistsException there) {
            throw new DavFault(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        }
        properties.remove(path);
    }

    /** Creates an empty file, for a lock on an unmapped URL (RFC 4918, 7.3). */
    void createFile(String path) throws IOException, DavFault {
        try {
            Files.createFile(place(path));
            properties.remove(path);
        } catch (FileAlreadyExistsException there) {
            // created by a concurrent request
        }
    }

    /**
     * Copies a resource, with its members if {@code deep}, as far as possible (RFC 4918, 9.8.3). The target must not exist,
     * unless both are files.
     */
    void copy(String from, String to, boolean deep, Failures failures) {
        List<String> failed = new ArrayList<>();
        for (String each : deep ? all(from) : List.of(from)) {
            String target = to + each.substring(from.length());
            boolean within = failed.stream().anyMatch(above -> DavPath.isWithin(each, above));
            if (!within && !copyOne(each, target, failures)) {
                failed.add(each);
            }
        }
    }

    private boolean copyOne(String from, String to, Failures failures) {
        try {
            Resource source = find(from);
            if (source != null && source.isDirectory()) {
                createCollection(to);
            } else if (source != null) {
                copyFile(source, place(to));
            }
            properties.copy(from, to);
            return true;
        } catch (DavFault refused) {
            failures.add(to, refused.status());
        } catch (IOException e) {
            failures.add(to, e);
        }
        return false;
    }

    private void copyFile(Resource source, Path place) throws IOException {
        Path written = Files.createTempFile(temporary, "copy", null);
        try {
            try (InputStream in = source.open()) {
                Files.copy(in, written, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.move(written, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException otherFileSystem) {
            Files.move(written, place, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /** Moves a resource and everything below it, atomically if possible. The target must not exist, unless both are files. */
    void move(String from, String to, Failures failures) throws IOException, DavFault {
        List<String> all = all(from);
        try {
            Files.move(place(from), place(to), StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException otherFileSystem) {
            moveByCopying(from, to, failures);
            return;
        } catch (IOException e) {
            failures.add(from, e);
            return;
        }
        for (String each : all) {
            properties.copy(each, to + each.substring(from.length()));
            properties.remove(each);
        }
    }

    /** Moves to another file system. What can be copied but not deleted exists at both places. */
    private void moveByCopying(String from, String to, Failures failures) throws DavFault {
        copy(from, to, true, failures);
        if (failures.isEmpty()) {
            delete(from, failures);
        } else if (isCollection(from)) {
            delete(to, failures);
        }
    }

    /** Deletes a resource and everything below it; what cannot be deleted stays, with its parent collections (RFC 4918, 9.6.1). */
    void delete(String path, Failures failures) throws DavFault {
        deleteTree(place(path), path, failures);
        if (failures.isEmpty() && find(path) != null) {
            // also in a JAR
            failures.add(path, HttpServletResponse.SC_FORBIDDEN);
        }
    }

    private boolean deleteTree(Path file, String path, Failures failures) {
        try {
            boolean empty = true;
            for (Path member : members(file)) {
                empty &= deleteTree(member, path + "/" + member.getFileName(), failures);
            }
            if (empty) {
                Files.deleteIfExists(file);
                properties.remove(path);
            }
            return empty;
        } catch (IOException e) {
            failures.add(path, e);
            return false;
        }
    }

    /**
     * The members of a directory, without following links. Listed completely, so that one file descriptor is open at a time at
     * any depth.
     */
    private static List<Path> members(Path file) throws IOException {
        if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> members = Files.list(file)) {
            return members.toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * The paths within a resource that cannot be deleted, as they are in a JAR or outside the document base. Symbolic links can
     * be deleted.
     */
    List<String> fixed(String path) throws DavFault {
        Path place = place(path);
        List<String> fixed = new ArrayList<>();
        List<String> links = new ArrayList<>();
        for (String each : find(path) == null ? List.<String>of() : all(path)) {
            Path file = Path.of(place + each.substring(path.length()));
            if (links.stream().anyMatch(link -> DavPath.isWithin(each, link))) {
                continue;
            }
            if (Files.isSymbolicLink(file)) {
                links.add(each);
            } else if (!isCollection(each) && !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                fixed.add(each);
            }
        }
        return fixed;
    }

    /** The file of a path, which may not exist. */
    private Path place(String path) throws DavFault {
        Path place = isHidden(path) ? null : resources.place(path);
        if (place == null) {
            throw new DavFault(HttpServletResponse.SC_FORBIDDEN);
        }
        return place;
    }
}
