package io.millrace.standalone.probe;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;
import javax.servlet.AsyncContext;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpUpgradeHandler;
import javax.servlet.http.WebConnection;

/** What a client behind a front end may want; the path says which. */
public class RelayedServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    private final AtomicInteger aborted = new AtomicInteger();

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        response.setContentType("text/plain;charset=UTF-8");
        switch (request.getPathInfo()) {
            case "/say" -> {
                String large = request.getHeader("X-Large");
                if (large != null) {
                    response.setHeader("X-Large", large);
                }
                say(request, response.getWriter());
            }
            case "/fields" -> fields(request, response);
            case "/sum" -> sum(request.getInputStream(), response.getWriter());
            case "/large" -> large(Integer.parseInt(request.getParameter("size")), response);
            case "/parts" -> parts(Path.of(request.getParameter("until")), response);
            case "/session" -> session(request.getSession(), response.getWriter());
            case "/async" -> later(request.startAsync());
            case "/endless" -> endless(response.getOutputStream());
            case "/aborted" -> response.getWriter().println("aborted " + aborted.get());
            case "/upgrade" -> {
                response.setHeader("Upgrade", request.getHeader("Upgrade"));
                response.setHeader("Connection", "Upgrade");
                request.upgrade(Upgraded.class);
            }
            default -> response.sendError(404);
        }
    }

    private static void say(HttpServletRequest request, PrintWriter out) {
        out.println(request.getMethod() + " " + request.getProtocol() + " " + request.getRequestURL());
        out.println("query " + request.getQueryString());
        out.println("name " + request.getParameter("name"));
        out.println("remote " + request.getRemoteAddr() + " " + (request.getRemotePort() > 0));
        out.println("local " + request.getLocalAddr() + " " + request.getLocalPort());
        out.println("server " + request.getServerName() + " " + request.getServerPort());
        out.println("scheme " + request.getScheme() + " " + request.isSecure());
        out.println(
                "user " + request.getRemoteUser() + " " + request.getAuthType() + " " + request.isUserInRole("clerk"));
        out.println("cipher " + request.getAttribute("javax.servlet.request.cipher_suite"));
        out.println("key " + request.getAttribute("javax.servlet.request.key_size"));
        out.println("session " + request.getAttribute("javax.servlet.request.ssl_session_id"));
        out.println("version " + request.getAttribute("org.apache.tomcat.util.net.secure_protocol_version"));
        out.println("certificate " + subject(request.getAttribute("javax.servlet.request.X509Certificate")));
        out.println("attribute " + request.getAttribute("shop.note"));
    }

    private static String subject(Object chain) {
        return chain instanceof X509Certificate[] certificates
                ? certificates[0].getSubjectX500Principal().getName()
                : "none";
    }

    private static void fields(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.addHeader("X-Answer", "one");
        response.addHeader("X-Answer", "two");
        response.addHeader("Set-Cookie", "long=" + "c".repeat(1000));
        response.addHeader("Set-Cookie", "other=1");
        PrintWriter out = response.getWriter();
        out.println("repeated " + Collections.list(request.getHeaders("X-Repeated")));
        out.println("cookie " + request.getCookies()[0].getValue().length());
    }

    private static void sum(InputStream in, PrintWriter out) throws IOException {
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[16_384];
        long size = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            crc.update(buffer, 0, count);
            size += count;
        }
        out.println("read " + size + " " + crc.getValue());
    }

    private static void large(int size, HttpServletResponse response) throws IOException {
        response.setContentLength(size);
        byte[] piece = new byte[10_000];
        Arrays.fill(piece, (byte) 'x');
        for (int left = size; left > 0; left -= piece.length) {
            response.getOutputStream().write(piece, 0, Math.min(left, piece.length));
        }
    }

    /** The second only when a file is there: who creates it has seen the first. */
    private static void parts(Path file, HttpServletResponse response) throws IOException {
        response.getWriter().println("first");
        response.flushBuffer();
        while (Files.notExists(file)) {
            LockSupport.parkNanos(2_000_000);
        }
        response.getWriter().println("second");
    }

    private static void session(HttpSession session, PrintWriter out) {
        Integer count = (Integer) session.getAttribute("count");
        session.setAttribute("count", count == null ? 1 : count + 1);
        out.println("session " + session.getId() + " " + session.getAttribute("count"));
    }

    private static void later(AsyncContext context) {
        context.start(() -> {
            try {
                context.getResponse().getWriter().println("later");
            } catch (IOException gone) {
                // nobody to tell
            }
            context.complete();
        });
    }

    private void endless(OutputStream out) throws IOException {
        byte[] piece = new byte[10_000];
        try {
            while (true) {
                out.write(piece);
            }
        } catch (IOException gone) {
            aborted.incrementAndGet();
            throw gone;
        }
    }

    /** Never called over AJP. */
    public static class Upgraded implements HttpUpgradeHandler {
        @Override
        public void init(WebConnection connection) {
            try {
                connection.getOutputStream().print("upgraded\n");
                connection.close();
            } catch (Exception gone) {
                // nobody to tell
            }
        }

        @Override
        public void destroy() {}
    }
}
