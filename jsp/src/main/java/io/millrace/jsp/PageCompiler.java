package io.millrace.jsp;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import javax.servlet.ServletContext;
import javax.servlet.ServletRegistration;
import org.apache.jasper.compiler.JDTCompiler;
import org.apache.jasper.servlet.JspServlet;

/**
 * Jasper's compiler, corrected for processes that are out of file descriptors or disk space: Jasper itself treats a page whose
 * modification time it cannot read as changed and deletes its classes, and reports a file that it cannot write as a missing page.
 * It also takes turns with the compilers of other JSP servlets: each {@code jsp-file} is a servlet with a Jasper of its own, which writes
 * the same files for the same page or tag file, and would delete what another has just compiled. Jasper creates an instance for each
 * page, by the class name.
 */
public final class PageCompiler extends JDTCompiler {

    private static final String COMPILER_CLASS = "compilerClassName";
    private static final String ANT_COMPILER = "compiler";

    /** One for all JSP servlets of an application, because compiling a page compiles the tag files that it uses. */
    private static final Map<ServletContext, Lock> TURNS = Collections.synchronizedMap(new WeakHashMap<>());

    /** Called by Jasper. */
    public PageCompiler() {}

    /** Sets this compiler for all of the application's JSP servlets, except those with a compiler in a descriptor. */
    static void install(ServletContext context) {
        for (ServletRegistration each : context.getServletRegistrations().values()) {
            if (JspServlet.class.getName().equals(each.getClassName())
                    && each.getInitParameter(ANT_COMPILER) == null
                    && isOurs(context.getClassLoader())) {
                each.setInitParameter(COMPILER_CLASS, PageCompiler.class.getName());
            }
        }
    }

    /** Whether the application uses the server's Jasper; its own would not find this class. */
    private static boolean isOurs(ClassLoader application) {
        try {
            return Class.forName(JspServlet.class.getName(), false, application) == JspServlet.class;
        } catch (ClassNotFoundException | LinkageError unusable) {
            return false;
        }
    }

    @Override
    public boolean isOutDated(boolean checkClass) {
        return super.isOutDated(checkClass) && !(new File(ctxt.getClassFileName()).exists() && isUnreadable());
    }

    /** Whether the page exists, but its modification time cannot be read. */
    private boolean isUnreadable() {
        try {
            return ctxt.getResource(ctxt.getJspFile()) != null && ctxt.getLastModified(ctxt.getJspFile()) < 0;
        } catch (MalformedURLException missing) {
            return false;
        }
    }

    /** Removes the generated files, unless another JSP servlet has just written them. */
    @Override
    public void removeGeneratedFiles() {
        if (!isShared()) {
            super.removeGeneratedFiles();
            return;
        }
        Lock turn = turn();
        turn.lock();
        try {
            if (isStillOutDated()) {
                super.removeGeneratedFiles();
            }
        } finally {
            turn.unlock();
        }
    }

    /**
     * Compiles the page, unless another JSP servlet has just done so.
     *
     * @throws IOException if a file cannot be opened or written: the response must not be 404
     */
    @Override
    public void compile(boolean compileClass, boolean jspcMode) throws Exception {
        if (!isShared()) {
            compileNow(compileClass, jspcMode);
            return;
        }
        Lock turn = turn();
        turn.lock();
        try {
            if (isStillOutDated()) {
                compileNow(compileClass, jspcMode);
            }
        } finally {
            turn.unlock();
        }
    }

    /** Whether several servlets of the application run pages. */
    private boolean isShared() {
        return ctxt.getServletContext().getServletRegistrations().values().stream()
                        .filter(each -> PageCompiler.class.getName().equals(each.getInitParameter(COMPILER_CLASS)))
                        .count()
                > 1;
    }

    private Lock turn() {
        return TURNS.computeIfAbsent(ctxt.getServletContext(), context -> new ReentrantLock());
    }

    private boolean isStillOutDated() {
        jsw.setLastModificationTest(-1); // or it would say that it was tested just now
        return isOutDated(true);
    }

    private void compileNow(boolean compileClass, boolean jspcMode) throws Exception {
        try {
            super.compile(compileClass, jspcMode);
        } catch (FileNotFoundException e) {
            if (ctxt.getResource(ctxt.getJspFile()) == null) {
                throw e;
            }
            jsw.setLastModificationTest(-1); // retried by the next request
            throw new IOException(
                    ctxt.getJspFile() + " exists, but cannot be opened, or its class cannot be written: "
                            + e.getMessage(),
                    e);
        }
    }
}
