package io.millrace.examples;

import java.io.IOException;
import javax.servlet.annotation.WebInitParam;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Declared by an annotation only; shows which part of the path its mapping matched. */
@WebServlet(
        name = "annotated",
        urlPatterns = {"/annotated/*", "*.example"},
        initParams = @WebInitParam(name = "declaredBy", value = "@WebServlet"))
public class AnnotatedServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain;charset=UTF-8");
        var out = response.getWriter();
        out.println("declaredBy: " + getInitParameter("declaredBy"));
        out.println("contextPath: " + request.getContextPath());
        out.println("servletPath: " + request.getServletPath());
        out.println("pathInfo: " + request.getPathInfo());
        out.println("filtered: " + request.getAttribute(TimingFilter.SEEN));
    }
}
