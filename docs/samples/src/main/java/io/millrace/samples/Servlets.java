package io.millrace.samples;

import io.millrace.Server;
import io.millrace.jsp.JspInitializer;
import io.millrace.servlet.BodyPublisher;
import io.millrace.servlet.BodySubscriber;
import io.millrace.servlet.WebApplication;
import java.io.IOException;
import java.nio.file.Path;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Web applications in an embedded server. */
final class Servlets {

    private Servlets() {}

    // tag::servlet
    /** Greets the user that the query names. */
    static final class Greeting extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().println("Hello, " + request.getParameter("name"));
        }
    }
    // end::servlet

    // tag::flow
    /** Echoes the request body. */
    static final class Echo extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            AsyncContext async = request.startAsync();
            BodyPublisher body = new BodyPublisher(request.getInputStream());
            body.subscribe(new BodySubscriber(async));
        }
    }
    // end::flow

    static Server echo() throws IOException {
        WebApplication application =
                WebApplication.builder("").servlet("echo", new Echo(), "/echo").build();
        return Server.builder().port(0).application(application).start();
    }

    static Server inCode() throws IOException {
        // tag::in-code
        WebApplication application = WebApplication.builder("/app")
                .servlet("greeting", new Greeting(), "/hello")
                .initParameter("colour", "green")
                .build();
        Server server = Server.builder().port(0).application(application).start();
        // end::in-code
        return server;
    }

    static Server pages(Path directory) throws IOException {
        // tag::pages
        WebApplication application = WebApplication.builder("")
                .docBase(directory) // has hello.jsp
                .configure(JspInitializer::enable)
                .build();
        Server server = Server.builder().port(0).application(application).start();
        // end::pages
        return server;
    }
}
