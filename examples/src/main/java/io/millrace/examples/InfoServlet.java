package io.millrace.examples;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import javax.servlet.ServletContext;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Shows what the container reports of itself and of the request. */
@WebServlet("/info")
public class InfoServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ServletContext context = getServletContext();
        Html page = Html.begin(response, "Container and request")
                .row("Server", context.getServerInfo())
                .row("Application", String.valueOf(context.getServletContextName()))
                .row("Context parameter", String.valueOf(context.getInitParameter("colour")))
                .row("Started", String.valueOf(context.getAttribute(StartListener.STARTED)))
                .row("Sessions", String.valueOf(context.getAttribute(StartListener.SESSIONS)))
                .row("Request line", request.getMethod() + " " + request.getRequestURI() + " " + request.getProtocol())
                .row("Client", request.getRemoteAddr())
                .row("Secure", String.valueOf(request.isSecure()))
                .row("Cipher suite", String.valueOf(request.getAttribute("javax.servlet.request.cipher_suite")))
                .row("Key size", String.valueOf(request.getAttribute("javax.servlet.request.key_size")))
                .row("TLS session", String.valueOf(request.getAttribute("javax.servlet.request.ssl_session_id")))
                .row("Client certificate", clientCertificate(request))
                .row("Locale", request.getLocale().toLanguageTag());
        for (String name : Collections.list(request.getHeaderNames())) {
            page.row("Header " + name, request.getHeader(name));
        }
        page.end();
    }

    private static String clientCertificate(HttpServletRequest request) {
        return request.getAttribute("javax.servlet.request.X509Certificate") instanceof X509Certificate[] chain
                ? chain[0].getSubjectX500Principal().getName()
                : "none";
    }
}
