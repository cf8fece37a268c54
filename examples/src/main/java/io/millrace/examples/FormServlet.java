package io.millrace.examples;

import java.io.IOException;
import java.util.Map;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Shows the parameters of a form sent by GET or POST. */
@WebServlet("/form")
public class FormServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        show(request, response);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        request.setCharacterEncoding("UTF-8");
        show(request, response);
    }

    private static void show(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Html page = Html.begin(response, "Form by " + request.getMethod());
        for (Map.Entry<String, String[]> parameter : request.getParameterMap().entrySet()) {
            page.row(parameter.getKey(), String.join(", ", parameter.getValue()));
        }
        page.end();
    }
}
