package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.naming.NamingException;
import org.junit.jupiter.api.Test;

/** A Resource of type javax.mail.Session … */
final class MailSessionTest {

    private static final ClassLoader JAVA_MAIL = MailSessionTest.class.getClassLoader();

    private static final Map<String, String> RESOURCE = Map.of(
            "name", "mail/shop",
            "type", "javax.mail.Session",
            "auth", "Container",
            "mail.smtp.host", "127.0.0.1",
            "mail.smtp.auth", "true",
            "mail.smtp.user", "shop",
            "mail.from", "shop@example.com",
            "password", "s3cret");

    private static String property(Object session, String name) throws Exception {
        Properties properties =
                (Properties) session.getClass().getMethod("getProperties").invoke(session);
        return String.valueOf(properties.getProperty(name));
    }

    @Test
    void hasThePropertiesOfTheResource() throws Exception {
        Object session = NamedResources.make("mail/shop", RESOURCE, JAVA_MAIL);
        assertEquals("javax.mail.Session", session.getClass().getName());
        assertEquals("127.0.0.1", property(session, "mail.smtp.host"));
        assertEquals("shop@example.com", property(session, "mail.from"));
        assertEquals("smtp", property(session, "mail.transport.protocol"));
        assertEquals("null", property(session, "password"));
    }

    @Test
    void mayNameTomcatsFactory() throws Exception {
        Map<String, String> named = new HashMap<>(RESOURCE);
        named.put("factory", "org.apache.naming.factory.MailSessionFactory");
        assertEquals(
                "javax.mail.Session",
                NamedResources.make("mail/shop", named, JAVA_MAIL).getClass().getName());
    }

    /** JavaMail's own client sends a message to a server that wants a password. */
    @Test
    void logsInWithItsPassword() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<List<String>> received = new CompletableFuture<>();
            Thread thread = new Thread(() -> complete(received, server));
            thread.setDaemon(true);
            thread.start();
            Map<String, String> resource = new HashMap<>(RESOURCE);
            resource.put("mail.smtp.port", String.valueOf(server.getLocalPort()));
            send(NamedResources.make("mail/shop", resource, JAVA_MAIL));
            List<String> lines = received.get(20, TimeUnit.SECONDS);
            String login = Base64.getEncoder().encodeToString("shop\0shop\0s3cret".getBytes(StandardCharsets.UTF_8));
            assertTrue(lines.contains("AUTH PLAIN " + login), lines.toString());
            assertTrue(lines.contains("hello"), lines.toString());
        }
    }

    /** By reflection, as the classes are no dependency of what is compiled here. */
    private static void send(Object session) throws Exception {
        Class<?> messages = Class.forName("javax.mail.internet.MimeMessage");
        Class<?> message = Class.forName("javax.mail.Message");
        Class<?> kinds = Class.forName("javax.mail.Message$RecipientType");
        Object mail = messages.getConstructor(session.getClass()).newInstance(session);
        messages.getMethod("setText", String.class).invoke(mail, "hello");
        messages.getMethod("setRecipients", kinds, String.class)
                .invoke(mail, kinds.getField("TO").get(null), "you@example.com");
        Class.forName("javax.mail.Transport").getMethod("send", message).invoke(null, mail);
    }

    private static void complete(CompletableFuture<List<String>> received, ServerSocket server) {
        try (Socket client = server.accept()) {
            received.complete(serve(client));
        } catch (IOException e) {
            received.completeExceptionally(e);
        }
    }

    /** SMTP, as far as one message needs it. */
    private static List<String> serve(Socket client) throws IOException {
        List<String> lines = new ArrayList<>();
        BufferedReader in =
                new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
        OutputStream out = client.getOutputStream();
        answer(out, "220 test");
        boolean data = false;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            lines.add(line);
            if (data) {
                data = !line.equals(".");
                answer(out, data ? "" : "250 taken");
            } else if (line.startsWith("EHLO")) {
                answer(out, "250-test\r\n250 AUTH PLAIN");
            } else if (line.startsWith("AUTH")) {
                answer(out, "235 in");
            } else if (line.equals("DATA")) {
                data = true;
                answer(out, "354 go on");
            } else if (line.equals("QUIT")) {
                answer(out, "221 bye");
                return lines;
            } else {
                answer(out, "250 ok");
            }
        }
        return lines;
    }

    private static void answer(OutputStream out, String text) throws IOException {
        if (!text.isEmpty()) {
            out.write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }

    @Test
    void saysWhatIsMissingWithoutJavaMail() {
        NamingException failure = assertThrows(
                NamingException.class,
                () -> NamedResources.make("mail/shop", RESOURCE, ClassLoader.getPlatformClassLoader()));
        assertEquals(
                "Resource mail/shop is a javax.mail.Session, and the application has no JavaMail: put javax.mail.jar into"
                        + " WEB-INF/lib, or into lib",
                failure.getMessage());
    }
}
