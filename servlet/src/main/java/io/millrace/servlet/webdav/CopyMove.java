package io.millrace.servlet.webdav;

import io.millrace.servlet.resource.Resource;
import java.io.IOException;
import java.util.List;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** The methods COPY and MOVE (RFC 4918, 9.8 and 9.9). */
final class CopyMove {

    private final DavFiles dav;
    private final DavCall call;
    private final WriteGuard guard;
    private final boolean move;
    private final String from;
    private final String to;

    private CopyMove(DavFiles dav, DavCall call, boolean move) throws DavFault {
        this.dav = dav;
        this.call = call;
        this.move = move;
        guard = new WriteGuard(dav, call);
        from = call.path();
        to = call.destination();
    }

    static void answer(DavFiles dav, DavCall call, boolean move, HttpServletResponse response)
            throws IOException, DavFault {
        new CopyMove(dav, call, move).answer(response);
    }

    private void answer(HttpServletResponse response) throws IOException, DavFault {
        boolean deep = isDeep();
        boolean overwrite = call.overwrite();
        Resource source = dav.tree().find(from);
        if (source == null || call.hasSlash() && !source.isDirectory()) {
            throw new DavFault(HttpServletResponse.SC_NOT_FOUND);
        }
        checkPlaces();
        Resource replaced = dav.tree().find(to);
        if (!dav.tree().isCollection(DavPath.parent(to))) {
            throw new DavFault(HttpServletResponse.SC_CONFLICT);
        }
        if (replaced != null && !overwrite || !dav.files().mayChange(source, call.request())) {
            throw new DavFault(HttpServletResponse.SC_PRECONDITION_FAILED);
        }
        if (isDenied(deep, response)
                || move && Removal.isBlocked(dav, call, guard, from, response)
                || Removal.isBlocked(dav, call, guard, to, response)) {
            return;
        }
        Failures failures = new Failures(call, dav.tree()::isCollection);
        carryOut(source, replaced, deep, failures);
        if (!failures.isEmpty()) {
            failures.answer(to, response);
            return;
        }
        response.setStatus(replaced == null ? HttpServletResponse.SC_CREATED : HttpServletResponse.SC_NO_CONTENT);
    }

    private boolean isDeep() throws DavFault {
        int depth = call.depth();
        if (depth == 1 || move && depth == 0) {
            throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
        return depth != 0;
    }

    /** Refuses a source within the target, and vice versa. */
    private void checkPlaces() throws DavFault {
        boolean nested = DavPath.isWithin(from, to) || DavPath.isWithin(to, from);
        if (nested || DavPath.isRoot(from) || DavPath.isRoot(to) || dav.tree().isHidden(to)) {
            throw new DavFault(HttpServletResponse.SC_FORBIDDEN);
        }
    }

    /** True if the application's constraints deny this user a part of it: then the response is sent, and nothing is changed. */
    private boolean isDenied(boolean deep, HttpServletResponse response) throws IOException, DavFault {
        String method = call.request().getMethod();
        Failures denied = new Failures(call, dav.tree()::isCollection);
        for (String each : deep ? dav.tree().all(from) : List.of(from)) {
            String target = to + each.substring(from.length());
            boolean mayWrite = call.mayReach(method, target) && call.mayReach("PUT", target);
            if (!mayTake(method, each) || !mayWrite) {
                denied.add(mayWrite ? each : target, HttpServletResponse.SC_FORBIDDEN);
            }
        }
        if (denied.isEmpty()) {
            return false;
        }
        denied.answer(to, response);
        return true;
    }

    /** True if the user may read the source, and delete it if it is moved: a constraint may cover only GET, or only DELETE. */
    private boolean mayTake(String method, String path) {
        return call.mayReach(method, path) && call.mayReach("GET", path) && (!move || call.mayReach("DELETE", path));
    }

    private void carryOut(Resource source, @Nullable Resource replaced, boolean deep, Failures failures)
            throws IOException, DavFault {
        if (replaced != null && (replaced.isDirectory() || source.isDirectory())) {
            dav.tree().delete(to, failures);
            dav.cleared(to);
        }
        if (!failures.isEmpty()) {
            return;
        }
        if (move) {
            dav.tree().move(from, to, failures);
            dav.removed(from);
        } else {
            dav.tree().copy(from, to, deep, failures);
        }
    }
}
