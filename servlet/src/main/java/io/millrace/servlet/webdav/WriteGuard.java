package io.millrace.servlet.webdav;

import io.millrace.servlet.resource.Resource;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** Checks whether a request may change resources, by its If field and the locks (RFC 4918, 7 and 10.4). */
final class WriteGuard {

    private final DavFiles dav;
    private final DavCall call;
    private final IfHeader header;

    /**
     * Parses and evaluates the field.
     *
     * @throws DavFault 400; 412 if no list of conditions is true
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
            return false; // a resource of another server has no state
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

    /** The opaque tag, because a weak tag becomes strong some time after the file was changed. */
    private static String plain(String etag) {
        return etag.startsWith("W/") ? etag.substring(2) : etag;
    }

    /** The locks of a resource whose tokens the request submits. */
    List<DavLock> submitted(String path) {
        return dav.locks().covering(path).stream().filter(this::isSubmitted).toList();
    }

    /**
     * Checks that a resource's content or properties may be changed.
     *
     * @throws DavFault 423 if it is locked and no token was submitted
     */
    void change(String path) throws DavFault {
        List<DavLock> locks = dav.locks().covering(path);
        if (!locks.isEmpty() && locks.stream().noneMatch(this::isSubmitted)) {
            throw new DavFault(MultiStatus.LOCKED, "lock-token-submitted", href(locks.get(0)));
        }
    }

    /** Checks that a resource may be created or removed, which changes its collection too. */
    void create(String path) throws DavFault {
        change(path);
        change(DavPath.parent(path));
    }

    /** The paths below a resource with locks whose tokens are not submitted. */
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
