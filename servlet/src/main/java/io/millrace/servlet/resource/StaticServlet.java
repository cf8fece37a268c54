package io.millrace.servlet.resource;

import javax.servlet.http.HttpServlet;

/**
 * The default servlet: sends files of the application's {@link ResourceTree}. Registered by the container under the name
 * {@code default} for {@code /}. Does not do welcome files, which are a matter of mapping. In an include it sends the
 * included path's content.
 */
public final class StaticServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    public StaticServlet(ResourceTree resources) {}
}
