package io.millrace.jsp;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.MalformedURLException;
import javax.servlet.ServletContext;
import javax.servlet.ServletRegistration;
import org.apache.jasper.compiler.JDTCompiler;
import org.apache.jasper.servlet.JspServlet;

/**
 * Jasper's compiler, on a machine without descriptors or disk. Jasper takes a page that it cannot look at for a changed one and
 * deletes its classes, and whatever file it cannot write for a missing page. Jasper makes one for each page, by its name.
 */
public final class PageCompiler extends JDTCompiler {

    private static final String COMPILER_CLASS = "compilerClassName";
    private static final String ANT_COMPILER = "compiler";

    /** For Jasper. */
    public PageCompiler() {}

    /** Has all servlets of ours that run pages compile them by this class, but for those of which a descriptor says otherwise. */
    static void install(ServletContext context) {
        for (ServletRegistration each : context.getServletRegistrations().values()) {
            if (JspServlet.class.getName().equals(each.getClassName())
                    && each.getInitParameter(ANT_COMPILER) == null
                    && isOurs(context.getClassLoader())) {
                each.setInitParameter(COMPILER_CLASS, PageCompiler.class.getName());
            }
        }
    }

    /** An application may bring a Jasper of its own, which does not know this class. */
    private static boolean isOurs(ClassLoader application) {
        try {
            return Class.forName(JspServlet.class.getName(), false, application) == JspServlet.class;
        } catch (ClassNotFoundException | LinkageError unusable) {
            return false;
        }
    }

    @Override
    public boolean isOutDated(boolean checkClass) {
        return super.isOutDated(checkClass) && !(new File(ctxt.getClassFileName()).exists() && isOutOfSight());
    }

    /** It is there, but nobody can tell how old it is. */
    private boolean isOutOfSight() {
        try {
            return ctxt.getResource(ctxt.getJspFile()) != null && ctxt.getLastModified(ctxt.getJspFile()) < 0;
        } catch (MalformedURLException missing) {
            return false;
        }
    }

    /**
     * Compiles the page.
     *
     * @throws IOException if a file cannot be opened or written, which is no reason to answer 404
     */
    @Override
    public void compile(boolean compileClass, boolean jspcMode) throws Exception {
        try {
            super.compile(compileClass, jspcMode);
        } catch (FileNotFoundException e) {
            if (ctxt.getResource(ctxt.getJspFile()) == null) {
                throw e;
            }
            jsw.setLastModificationTest(-1); // the next request tries again
            throw new IOException(
                    ctxt.getJspFile() + " exists, but cannot be opened, or its class cannot be written: "
                            + e.getMessage(),
                    e);
        }
    }
}
