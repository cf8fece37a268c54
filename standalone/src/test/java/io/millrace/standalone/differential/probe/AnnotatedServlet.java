package io.millrace.standalone.differential.probe;

import javax.servlet.annotation.HttpConstraint;
import javax.servlet.annotation.HttpMethodConstraint;
import javax.servlet.annotation.MultipartConfig;
import javax.servlet.annotation.ServletSecurity;
import javax.servlet.annotation.WebServlet;

/** A script servlet that annotations describe. */
@WebServlet(
        name = "annotated",
        urlPatterns = {"/annotated/*", "/anno%20enc/*"},
        asyncSupported = true)
@MultipartConfig(maxFileSize = 1000, maxRequestSize = 4000)
@ServletSecurity(
        value = @HttpConstraint,
        httpMethodConstraints = @HttpMethodConstraint(value = "DELETE", rolesAllowed = "clerk"))
public class AnnotatedServlet extends ScriptServlet {

    private static final long serialVersionUID = 1;
}
