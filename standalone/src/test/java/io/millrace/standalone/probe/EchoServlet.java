package io.millrace.standalone.probe;

import io.millrace.servlet.BodyPublisher;
import io.millrace.servlet.BodySubscriber;
import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Sends a request's body back, as a stream. */
public final class EchoServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        new BodyPublisher(request.getInputStream()).subscribe(new BodySubscriber(request.startAsync()));
    }
}
