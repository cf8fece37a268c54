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
 * The application's files and their dead properties, as a tree that may be changed. Nothing outside of the document base is
 * changed, and nothing through a symbolic link: a link is deleted, not what it leads to. Any thread.
 */
final class DavTree {

    private final ResourceTree resources;
    private final DeadProperties properties;
    private final Path temporary;
    private final boolean special;

    /**
     * Of an application.
     *
     * @param temporary where files are written before they take their places
     * @param special are WEB-INF and META-INF resources like others?
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

    /** Is it one that no client sees, in whatever spelling? */
    boolean isHidden(String path) {
        return !special && ResourceTree.isProtected(path);
    }

    /** Null if there is none, or none to be seen. */
    @Nullable
    Resource find(String path) {
        return isHidden(path) ? null : resources.find(DavPath.isRoot(path) ? "/" : path);
    }

    boolean isCollection(String path) {
        Resource found = find(path);
        return found != null && found.isDirectory();
    }

    /** Paths of the members of a collection that may be seen. */
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

    /** A resource and all below it, the outermost first. */
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

    /** An empty one, for a lock on what is not there yet (RFC 4918, 7.3). */
    void createFile(String path) throws IOException, DavFault {
        try {
            Files.createFile(place(path));
            properties.remove(path);
        } catch (FileAlreadyExistsException there) {
            // another request was faster: it is there, as was wanted
        }
    }

    /**
     * Copies a resource, and of a collection all below it if that is asked for, as far as it can (RFC 4918, 9.8.3). Nothing may be at the
     * target yet, unless both are files.
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

    /** Moves a resource and all below it, or nothing. Nothing may be at the target yet, unless both are files. */
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

    /** To another file system. What can be copied but not removed stays at both places. */
    private void moveByCopying(String from, String to, Failures failures) throws DavFault {
        copy(from, to, true, failures);
        if (failures.isEmpty()) {
            delete(from, failures);
        } else if (isCollection(from)) {
            delete(to, failures);
        }
    }

    /** Deletes a resource and all below it; what cannot be deleted stays, and so do the collections that it is in (RFC 4918, 9.6.1). */
    void delete(String path, Failures failures) throws DavFault {
        deleteTree(place(path), path, failures);
        if (failures.isEmpty() && find(path) != null) {
            // in a jar, too
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

    /** Those of a directory that is none by a link; read before the first of them is opened: one descriptor at a time, however deep. */
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

    /** Paths of a resource and what is below it that cannot be deleted, being in a jar or elsewhere. A link can, whatever it leads to. */
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

    /** Where it lies, or would. */
    private Path place(String path) throws DavFault {
        Path place = isHidden(path) ? null : resources.place(path);
        if (place == null) {
            throw new DavFault(HttpServletResponse.SC_FORBIDDEN);
        }
        return place;
    }
}
