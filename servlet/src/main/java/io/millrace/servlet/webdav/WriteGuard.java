package io.millrace.servlet.webdav;

import io.millrace.servlet.resource.Resource;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** Whether one request may change a resource: its If field, and the locks (RFC 4918, 7 and 10.4). */
final class WriteGuard {

    private final DavFiles dav;
    private final DavCall call;
    private final IfHeader header;

    /**
     * Reads the field and evaluates it.
     *
     * @throws DavFault 400; 412 if no list of conditions holds
     */
    WriteGuard(DavFiles dav, DavCall call) throws DavFault {
        this.dav = dav;
        this.call = call;
        header = IfHeader.parse(call.request().getHeader("If"));
        if (!header.lists().isEmpty() && header.lists().stream().noneMatch(this::holds)) {
            throw new DavFault(HttpServletResponse.SC_PRECONDITION_FAILED);
        }
    }

    private boolean holds(IfHeader.Conditions list) {
        String tag = list.tag();
        String path = tag == null ? call.path() : call.pathOf(tag);
        return list.all().stream().allMatch(condition -> condition.not() != isTrue(condition, path));
    }

    private boolean isTrue(IfHeader.Condition condition, @Nullable String path) {
        if (path == null) {
            return false; // a resource of another server has no state here
        }
        String etag = condition.etag();
        if (etag != null) {
            Resource resource = dav.tree().find(path);
            return resource != null
                    && !resource.isDirectory()
                    && plain(dav.etag(resource)).equals(plain(etag));
        }
        return dav.locks().covering(path).stream().anyMatch(lock -> lock.token().equals(condition.token()));
    }

    /** A tag becomes strong when its file has rested: it is the same one. */
    private static String plain(String etag) {
        return etag.startsWith("W/") ? etag.substring(2) : etag;
    }

    /** The locks of a resource whose tokens came with the request. */
    List<DavLock> submitted(String path) {
        return dav.locks().covering(path).stream().filter(this::isSubmitted).toList();
    }

    /**
     * A resource's content or properties are to be changed.
     *
     * @throws DavFault 423 if it is locked and no token was submitted
     */
    void change(String path) throws DavFault {
        List<DavLock> locks = dav.locks().covering(path);
        if (!locks.isEmpty() && locks.stream().noneMatch(this::isSubmitted)) {
            throw new DavFault(DavFault.LOCKED, "lock-token-submitted", href(locks.get(0)));
        }
    }

    /** A resource is to be made or removed: its collection changes too. */
    void create(String path) throws DavFault {
        change(path);
        change(DavPath.parent(path));
    }

    /** Resources below one that are locked by others; empty for what may be removed. */
    List<String> lockedBelow(String path) {
        List<String> locked = new ArrayList<>();
        for (DavLock lock : dav.locks().below(path)) {
            if (!isSubmitted(lock) && !locked.contains(lock.path())) {
                locked.add(lock.path());
            }
        }
        return locked;
    }

    private boolean isSubmitted(DavLock lock) {
        return lock.isOf(call.user()) && header.submits(lock.token());
    }

    String href(DavLock lock) {
        return call.href(lock.path(), dav.tree().isCollection(lock.path()));
    }
}
