package io.millrace.servlet.webdav;

import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

    /** A resource, and of a collection all below it if that is asked for; nothing may be at the target yet, unless both are files. */
    void copy(String from, String to, boolean deep) throws IOException, DavFault {
        List<String> all = deep ? all(from) : List.of(from);
        for (String each : all) {
            Resource source = find(each);
            String target = to + each.substring(from.length());
            if (source != null && source.isDirectory()) {
                createCollection(target);
            } else if (source != null) {
                copyFile(source, place(target));
            }
            properties.copy(each, target);
        }
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

    /** Nothing may be at the target yet, unless both are files. */
    void move(String from, String to) throws IOException, DavFault {
        List<String> all = all(from);
        Path source = place(from);
        if (!Files.exists(source, LinkOption.NOFOLLOW_LINKS)) {
            // in a jar
            throw new DavFault(HttpServletResponse.SC_FORBIDDEN);
        }
        Files.move(source, place(to), StandardCopyOption.REPLACE_EXISTING);
        for (String each : all) {
            properties.copy(each, to + each.substring(from.length()));
            properties.remove(each);
        }
    }

    /** A resource and all below it. */
    void delete(String path) throws IOException, DavFault {
        List<String> all = all(path);
        deleteTree(place(path));
        if (find(path) != null) {
            // in a jar
            throw new DavFault(HttpServletResponse.SC_FORBIDDEN);
        }
        for (String each : all) {
            properties.remove(each);
        }
    }

    private static void deleteTree(Path file) throws IOException {
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> members = Files.newDirectoryStream(file)) {
                for (Path member : members) {
                    deleteTree(member);
                }
            }
        }
        try {
            Files.deleteIfExists(file);
        } catch (NoSuchFileException gone) {
            // as was wanted
        }
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
