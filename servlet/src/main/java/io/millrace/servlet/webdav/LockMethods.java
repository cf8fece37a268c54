package io.millrace.servlet.webdav;

import io.millrace.servlet.resource.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/** The methods LOCK and UNLOCK (RFC 4918, 9.10 and 9.11). */
final class LockMethods {

    /** The default timeout in seconds, as in Tomcat. */
    static final long DEFAULT_TIMEOUT = 3600;

    /** The largest timeout in seconds: a week, as in Tomcat. */
    static final long MAX_TIMEOUT = 604_800;

    /** The largest owner element in characters, as it is kept in memory. */
    private static final int MAX_OWNER = 4096;

    private LockMethods() {}

    static void lock(DavFiles dav, DavCall call, HttpServletResponse response) throws IOException, DavFault {
        WriteGuard guard = new WriteGuard(dav, call);
        Element root = DavXml.read(call.request().getInputStream());
        if (root == null) {
            refresh(dav, call, guard, response);
            return;
        }
        LockTable.LockRequest requested = requested(call, root);
        Resource before = dav.tree().find(call.path());
        if (before == null || call.hasSlash() && !before.isDirectory()) {
            checkNew(dav, call);
            guard.change(DavPath.parent(call.path()));
        }
        if (!dav.files().mayChange(before, call.request())) {
            throw new DavFault(HttpServletResponse.SC_PRECONDITION_FAILED);
        }
        List<DavLock> conflicts = new ArrayList<>();
        DavLock lock = dav.locks().grant(requested, conflicts);
        if (lock == null) {
            refuse(dav, call, conflicts, response);
            return;
        }
        if (before == null) {
            create(dav, call, lock);
        }
        response.setHeader("Lock-Token", "<" + lock.token() + ">");
        int status = before == null ? HttpServletResponse.SC_CREATED : HttpServletResponse.SC_OK;
        respond(dav, call, lock, status, response);
    }

    private static void checkNew(DavFiles dav, DavCall call) throws DavFault {
        if (dav.tree().isHidden(call.path())) {
            throw new DavFault(HttpServletResponse.SC_FORBIDDEN);
        }
        if (call.hasSlash() || !dav.tree().isCollection(DavPath.parent(call.path()))) {
            throw new DavFault(HttpServletResponse.SC_CONFLICT);
        }
    }

    private static void create(DavFiles dav, DavCall call, DavLock lock) throws IOException, DavFault {
        boolean done = false;
        try {
            dav.tree().createFile(call.path());
            done = true;
        } finally {
            if (!done) {
                dav.locks().remove(lock);
            }
        }
    }

    private static void refresh(DavFiles dav, DavCall call, WriteGuard guard, HttpServletResponse response)
            throws IOException, DavFault {
        List<DavLock> named = guard.submitted(call.path());
        if (call.request().getHeader("If") == null) {
            throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
        DavLock lock = named.size() == 1 ? dav.locks().refresh(named.get(0), timeout(call)) : null;
        if (lock == null) {
            throw new DavFault(
                    HttpServletResponse.SC_PRECONDITION_FAILED,
                    "lock-token-matches-request-uri",
                    call.href(call.path(), dav.tree().isCollection(call.path())));
        }
        respond(dav, call, lock, HttpServletResponse.SC_OK, response);
    }

    static void unlock(DavFiles dav, DavCall call, HttpServletResponse response) throws DavFault {
        String field = call.request().getHeader("Lock-Token");
        String coded = field == null ? "" : field.strip();
        if (coded.length() < 3 || !coded.startsWith("<") || !coded.endsWith(">")) {
            throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
        String token = coded.substring(1, coded.length() - 1);
        DavLock lock = dav.locks().covering(call.path()).stream()
                .filter(each -> each.token().equals(token))
                .findFirst()
                .orElseThrow(() -> new DavFault(
                        HttpServletResponse.SC_CONFLICT,
                        "lock-token-matches-request-uri",
                        call.href(call.path(), dav.tree().isCollection(call.path()))));
        if (!lock.isOf(call.user())) {
            throw new DavFault(HttpServletResponse.SC_FORBIDDEN);
        }
        dav.locks().remove(lock);
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }

    private static LockTable.LockRequest requested(DavCall call, Element root) throws DavFault {
        Element scope = DavXml.child(root, "lockscope");
        Element type = DavXml.child(root, "locktype");
        int depth = call.depth();
        boolean known = DavXml.isDav(root, "lockinfo")
                && scope != null
                && type != null
                && DavXml.child(type, "write") != null
                && depth != 1;
        boolean exclusive = known && DavXml.child(Objects.requireNonNull(scope), "exclusive") != null;
        if (!known || !exclusive && DavXml.child(Objects.requireNonNull(scope), "shared") == null) {
            throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
        Element owner = DavXml.child(root, "owner");
        String text = owner == null ? "" : DavXml.text(owner);
        if (text.length() > MAX_OWNER) {
            throw new DavFault(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
        }
        return new LockTable.LockRequest(call.path(), depth != 0, exclusive, text, call.user(), timeout(call));
    }

    /** The first valid timeout of the field (RFC 4918, 10.7), limited to the maximum. */
    private static long timeout(DavCall call) {
        String field = call.request().getHeader("Timeout");
        for (String each : field == null ? new String[0] : field.split(",", -1)) {
            long seconds = seconds(each.strip().toLowerCase(Locale.ROOT));
            if (seconds > 0) {
                return Math.min(seconds, MAX_TIMEOUT);
            }
        }
        return DEFAULT_TIMEOUT;
    }

    private static long seconds(String time) {
        if (time.equals("infinite")) {
            return MAX_TIMEOUT;
        }
        try {
            return time.startsWith("second-") ? Long.parseLong(time.substring("second-".length())) : 0;
        } catch (NumberFormatException odd) {
            return 0;
        }
    }

    private static void respond(DavFiles dav, DavCall call, DavLock lock, int status, HttpServletResponse response)
            throws IOException {
        MultiStatus.element(
                response, status, "prop", "<D:lockdiscovery>" + dav.active(lock, call) + "</D:lockdiscovery>");
    }

    /** Responds with 423 for a lock on the resource or above it; locks below it are listed in a multi-status (9.10.9). */
    private static void refuse(DavFiles dav, DavCall call, List<DavLock> conflicts, HttpServletResponse response)
            throws IOException, DavFault {
        @Nullable DavLock own = null;
        for (DavLock each : conflicts) {
            own = each.covers(call.path()) ? each : own;
        }
        if (own != null) {
            throw new DavFault(
                    MultiStatus.LOCKED,
                    "no-conflicting-lock",
                    call.href(own.path(), dav.tree().isCollection(own.path())));
        }
        MultiStatus out = new MultiStatus(response);
        conflicts.stream()
                .map(DavLock::path)
                .distinct()
                .forEach(path -> out.resource(call.href(path, dav.tree().isCollection(path)), MultiStatus.LOCKED));
        out.resource(call.href(call.path(), dav.tree().isCollection(call.path())), MultiStatus.FAILED_DEPENDENCY);
        out.end();
    }
}
