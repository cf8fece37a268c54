package io.millrace.servlet.webdav;

import io.millrace.servlet.resource.Resource;
import java.io.IOException;
import javax.servlet.http.HttpServletResponse;

/**
 * DELETE (RFC 4918, 9.6): nothing of a collection if it is known that a member will stay, for a lock, a constraint, or as it lies in a jar. If the
 * file system refuses one, that stays with the collections it is in, and all else goes.
 */
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
        Failures failures = new Failures(call, dav.tree());
        dav.tree().delete(path, failures);
        dav.removed(path);
        if (!failures.isEmpty()) {
            failures.answer(path, response);
            return;
        }
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
        Failures hindrances = new Failures(call, dav.tree());
        guard.lockedBelow(path).forEach(each -> hindrances.add(each, DavFault.LOCKED));
        if (dav.tree().isCollection(path)) {
            dav.tree().all(path).stream()
                    .filter(each -> !call.mayReach("DELETE", each))
                    .forEach(each -> hindrances.add(each, HttpServletResponse.SC_FORBIDDEN));
        }
        dav.tree().fixed(path).forEach(each -> hindrances.add(each, HttpServletResponse.SC_FORBIDDEN));
        if (hindrances.isEmpty()) {
            return false;
        }
        hindrances.answer(path, response);
        return true;
    }
}
