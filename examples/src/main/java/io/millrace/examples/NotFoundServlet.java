package io.millrace.examples;

import java.io.IOException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** The application's own page for status 404, declared in web.xml. Its links work at any path. */
@WebServlet("/not-found")
public class NotFoundServlet extends HttpServlet {

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Html.beginAnywhere(request, response, "Not found")
                .line("This is the application's own page for status 404, named in web.xml.")
                .end();
    }
}
