package io.millrace.servlet.webdav;

import io.millrace.http.HttpDates;
import io.millrace.servlet.files.StaticServlet;
import io.millrace.servlet.resource.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.temporal.ChronoUnit;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * The state that the methods share.
 *
 * @param files serves and stores files
 */
record DavFiles(DavTree tree, LockTable locks, StaticServlet files, ServletContext context, DavSettings settings) {

    /** The content of a property's element; null if the resource does not have the property. */
    @Nullable
    String live(LiveProperty property, String path, Resource resource, DavCall call) {
        boolean file = !resource.isDirectory();
        return switch (property) {
            case CREATIONDATE -> created(resource);
            case DISPLAYNAME -> MultiStatus.escape(DavPath.name(path));
            case GETCONTENTLENGTH -> file ? Long.toString(resource.length()) : null;
            case GETCONTENTTYPE -> file ? type(path) : null;
            case GETETAG -> file ? MultiStatus.escape(etag(resource)) : null;
            case GETLASTMODIFIED -> HttpDates.format(resource.lastModified());
            case LOCKDISCOVERY -> discovery(path, call);
            case RESOURCETYPE -> file ? "" : "<D:collection/>";
            case SUPPORTEDLOCK -> settings.readonly() ? "" : LockXml.SUPPORTED;
        };
    }

    String etag(Resource resource) {
        return files.files().validators(resource).etag();
    }

    private @Nullable String type(String path) {
        String type = context.getMimeType(DavPath.name(path));
        return type == null ? null : MultiStatus.escape(type);
    }

    private String discovery(String path, DavCall call) {
        StringBuilder active = new StringBuilder();
        for (DavLock lock : locks.covering(path)) {
            active.append(active(lock, call));
        }
        return active.toString();
    }

    String active(DavLock lock, DavCall call) {
        String root = call.href(lock.path(), tree.isCollection(lock.path()));
        return LockXml.active(lock, root, locks.secondsLeft(lock), call.user());
    }

    /** Removes the locks of a resource that was removed, and of everything below it. */
    void removed(String path) {
        locks.forget(path, each -> tree.find(each) == null);
    }

    /** Like {@link #removed}, for a resource that is replaced: its own locks stay (RFC 4918, 9.8.4). */
    void cleared(String path) {
        locks.forget(path, each -> !each.equals(path) && tree.find(each) == null);
    }

    private static @Nullable String created(Resource resource) {
        Path file = resource.file();
        try {
            return file == null
                    ? null
                    : Files.readAttributes(file, BasicFileAttributes.class)
                            .creationTime()
                            .toInstant()
                            .truncatedTo(ChronoUnit.SECONDS)
                            .toString();
        } catch (IOException gone) {
            return null;
        }
    }

    /** Serializes locks for responses. */
    private static final class LockXml {

        /** The property supportedlock (RFC 4918, 15.10). */
        static final String SUPPORTED =
                "<D:lockentry><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>"
                        + "<D:lockentry><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>";

        private LockXml() {}

        /** An activelock element (RFC 4918, 14.1). Only users who may use the token see it. */
        static String active(DavLock lock, String root, long secondsLeft, @Nullable String reader) {
            String token = lock.isOf(reader) ? "<D:locktoken>" + MultiStatus.href(lock.token()) + "</D:locktoken>" : "";
            return "<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope>"
                    + (lock.exclusive() ? "<D:exclusive/>" : "<D:shared/>")
                    + "</D:lockscope><D:depth>"
                    + (lock.deep() ? "infinity" : "0")
                    + "</D:depth>"
                    + lock.owner()
                    + "<D:timeout>Second-"
                    + secondsLeft
                    + "</D:timeout>"
                    + token
                    + "<D:lockroot>"
                    + MultiStatus.href(root)
                    + "</D:lockroot></D:activelock>";
        }
    }
}
