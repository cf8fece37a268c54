package io.millrace.servlet.webdav;

import io.millrace.servlet.resource.Resource;
import java.io.IOException;
import java.util.List;
import javax.servlet.http.HttpServletResponse;

/** DELETE (RFC 4918, 9.6): all of a collection, or nothing if a lock or a constraint is in the way. */
final class Removal {

    private Removal() {}

    static void answer(DavFiles dav, DavCall call, HttpServletResponse response) throws IOException, DavFault {
        WriteGuard guard = new WriteGuard(dav, call);
        String path = call.path();
        Resource resource = dav.tree().find(path);
        if (resource == null || call.hasSlash() && !resource.isDirectory()) {
            throw new DavFault(HttpServletResponse.SC_NOT_FOUND);
        }
        if (resource.isDirectory() && call.depth() != DavCall.INFINITY) {
            throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
        if (DavPath.isRoot(path)) {
            throw new DavFault(HttpServletResponse.SC_FORBIDDEN);
        }
        if (!dav.files().mayChange(resource, call.request())) {
            throw new DavFault(HttpServletResponse.SC_PRECONDITION_FAILED);
        }
        if (isHindered(dav, call, guard, path, response)) {
            return;
        }
        dav.tree().delete(path);
        dav.locks().forget(path);
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }

    /**
     * Whether members of a resource keep it from being removed or replaced; if so they are the answer.
     *
     * @throws DavFault if the resource itself, or its collection, does
     */
    static boolean isHindered(DavFiles dav, DavCall call, WriteGuard guard, String path, HttpServletResponse response)
            throws IOException, DavFault {
        guard.create(path);
        List<String> locked = guard.lockedBelow(path);
        List<String> denied = dav.tree().isCollection(path)
                ? dav.tree().all(path).stream()
                        .filter(each -> !call.mayReach("DELETE", each))
                        .toList()
                : List.of();
        if (locked.isEmpty() && denied.isEmpty()) {
            return false;
        }
        MultiStatus out = new MultiStatus(response);
        locked.forEach(each -> out.resource(call.href(each, dav.tree().isCollection(each)), DavFault.LOCKED));
        denied.forEach(
                each -> out.resource(call.href(each, dav.tree().isCollection(each)), HttpServletResponse.SC_FORBIDDEN));
        out.end();
        return true;
    }
}
