package io.millrace.examples;

import java.io.IOException;
import javax.servlet.RequestDispatcher;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** The application's own error page, declared in web.xml. */
public class ErrorPageServlet extends HttpServlet {

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Html.beginAnywhere(request, response, "Something went wrong")
                .row("Status", String.valueOf(request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE)))
                .row("Message", String.valueOf(request.getAttribute(RequestDispatcher.ERROR_MESSAGE)))
                .row("Request", String.valueOf(request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI)))
                .end();
    }
}
