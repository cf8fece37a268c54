package io.millrace.servlet.webdav;

import io.millrace.servlet.files.StaticServlet;
import io.millrace.servlet.files.WriteLocks;
import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** The locks of an application: one table for all servlets that change its files. Thread-safe. */
public final class ApplicationLocks implements WriteLocks {

    private final ResourceTree resources;
    private final LockTable table = new LockTable(System::nanoTime);

    public ApplicationLocks(ResourceTree resources) {
        this.resources = resources;
    }

    LockTable table() {
        return table;
    }

    @Override
    public boolean refuse(StaticServlet files, String path, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        ServletContext context = request.getServletContext();
        DavFiles dav = new DavFiles(tree(context, false), table, files, context, DavSettings.OF_DEFAULT_SERVLET);
        String plain = DavPath.of(path);
        try {
            WriteGuard guard = new WriteGuard(dav, DavCall.of(request, dav.settings()));
            Resource before = dav.tree().find(plain);
            if (before == null || request.getMethod().equals("DELETE")) {
                guard.create(plain);
            } else {
                guard.change(plain);
            }
            return false;
        } catch (DavFault fault) {
            fault.answer(response);
            return true;
        }
    }

    @Override
    public void deleted(String path, HttpServletRequest request) throws IOException {
        DavTree tree = tree(request.getServletContext(), false);
        String plain = DavPath.of(path);
        tree.properties().remove(plain);
        table.forget(plain, each -> tree.find(each) == null);
    }

    /** The application's files and their properties, shared by its servlets. */
    DavTree tree(ServletContext context, boolean special) {
        Path work = ((File) context.getAttribute(ServletContext.TEMPDIR)).toPath();
        return new DavTree(resources, new DeadProperties(work.resolve("webdav-properties")), work, special);
    }
}
