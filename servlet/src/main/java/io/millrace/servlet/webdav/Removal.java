package io.millrace.servlet.webdav;

import io.millrace.servlet.resource.Resource;
import java.io.IOException;
import javax.servlet.http.HttpServletResponse;

/**
 * The method DELETE (RFC 4918, 9.6). A collection is not changed if a lock, a constraint or a JAR is known to prevent the removal
 * of a member. If the file system prevents it, the member and its parent collections stay, and everything else is deleted.
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
        if (isBlocked(dav, call, guard, path, response)) {
            return;
        }
        Failures failures = new Failures(call, dav.tree()::isCollection);
        dav.tree().delete(path, failures);
        dav.removed(path);
        if (!failures.isEmpty()) {
            failures.answer(path, response);
            return;
        }
        response.setStatus(HttpServletResponse.SC_NO_CONTENT);
    }

    /**
     * True if members of a resource prevent its removal or replacement: then the response lists them.
     *
     * @throws DavFault if the resource itself, or its collection, prevents it
     */
    static boolean isBlocked(DavFiles dav, DavCall call, WriteGuard guard, String path, HttpServletResponse response)
            throws IOException, DavFault {
        guard.create(path);
        Failures blockers = new Failures(call, dav.tree()::isCollection);
        guard.lockedBelow(path).forEach(each -> blockers.add(each, MultiStatus.LOCKED));
        if (dav.tree().isCollection(path)) {
            dav.tree().all(path).stream()
                    .filter(each -> !call.mayReach("DELETE", each))
                    .forEach(each -> blockers.add(each, HttpServletResponse.SC_FORBIDDEN));
        }
        dav.tree().fixed(path).forEach(each -> blockers.add(each, HttpServletResponse.SC_FORBIDDEN));
        if (blockers.isEmpty()) {
            return false;
        }
        blockers.answer(path, response);
        return true;
    }
}
