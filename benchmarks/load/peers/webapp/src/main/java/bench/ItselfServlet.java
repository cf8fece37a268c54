package bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Asks its own server, and waits for the answer on the container's thread. */
public class ItselfServlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
        URL hello = new URL("http://" + req.getLocalAddr() + ":" + req.getLocalPort() + "/hello");
        HttpURLConnection connection = (HttpURLConnection) hello.openConnection();
        byte[] body = new byte[HelloServlet.BODY.length];
        try (InputStream in = connection.getInputStream()) {
            for (int count = 0; count < body.length;) {
                int more = in.read(body, count, body.length - count);
                if (more < 0) {
                    throw new IOException("after " + count + " bytes");
                }
                count += more;
            }
        }
        resp.setContentType("text/plain");
        resp.setContentLength(body.length);
        resp.getOutputStream().write(body);
    }
}
