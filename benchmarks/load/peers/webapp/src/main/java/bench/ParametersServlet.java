package bench;

import java.io.IOException;
import java.util.Collections;
import javax.servlet.ServletException;
import javax.servlet.annotation.MultipartConfig;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** /parameters: looks at all that a client may send: query, form or parts, cookies, languages, names of fields. */
@MultipartConfig
public class ParametersServlet extends HttpServlet {
    @Override
    protected void service(HttpServletRequest req, HttpServletResponse resp) throws IOException, ServletException {
        Cookie[] cookies = req.getCookies();
        int found = req.getParameterMap().size() + (cookies == null ? 0 : cookies.length)
                + Collections.list(req.getLocales()).size() + Collections.list(req.getHeaderNames()).size();
        resp.setContentType("text/plain");
        resp.getWriter().println(found);
    }
}
