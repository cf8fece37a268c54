package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.Server;
import io.millrace.handler.Responses;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples of logins … */
@Timeout(60)
class SecurityTest {

    @TempDir
    Path directory = Path.of("");

    private Path users(String password) throws IOException {
        return Files.writeString(
                directory.resolve("users.xml"),
                "<tomcat-users><user username='ann' password='" + password + "' roles='clerk'/></tomcat-users>");
    }

    /** Answers with the user's name. */
    private static final class Orders extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(request.getRemoteUser());
        }
    }

    @Test
    void admitTheUsersOfAFile() throws Exception {
        WebApplication application = Security.options(Security.application(users("heron"), new Orders()));
        try (Server server = Server.builder().port(0).application(application).start()) {
            Client client = new Client(server);
            assertEquals(401, client.get("/shop/orders/1").statusCode());
            String credentials = Base64.getEncoder().encodeToString("ann:heron".getBytes(StandardCharsets.UTF_8));
            HttpRequest request = client.to("/shop/orders/1")
                    .header("Authorization", "Basic " + credentials)
                    .build();
            assertEquals("ann", client.send(request).body());
        }
    }

    @Test
    void admitAddressesOfTheOfficeOnly() throws Exception {
        try (Server server = Security.addresses()
                .port(0)
                .handler(exchange -> Responses.text(exchange, 200, "Hello!\n"))
                .start()) {
            assertEquals(403, new Client(server).get("/").statusCode());
        }
    }

    @Test
    void verifyTheWordOfTheDay() {
        IdentityStore words = new Security.WordOfTheDay();
        assertEquals(new Identity("ann", Set.of("clerk")), words.verify("ann", "heron"));
        assertNull(words.verify("ann", "egret"));
    }

    @Test
    void lookInOneStoreAfterTheOther() throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest("heron".getBytes(StandardCharsets.UTF_8));
        IdentityStore users = Security.several(users(HexFormat.of().formatHex(digest)), new Security.WordOfTheDay());
        assertNotNull(users.verify("ann", "heron"));
        assertNotNull(users.verify("bob", "heron"), "of the second store");
        assertNull(users.verify("bob", "egret"));
    }

    @Test
    void verifyWithoutTheRealmOfKerberos() {
        List<IdentityStore> stores = Security.verified(new Security.WordOfTheDay());
        assertNotNull(stores.get(0).verify("ann", "heron"));
        assertNull(stores.get(1).verify("ann", "heron"), "a password is no proof there");
    }

    @Test
    void verifyTheUsersOfADatabase() throws Exception {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:samples;DB_CLOSE_DELAY=-1");
        byte[] salt = {1, 2, 3, 4};
        byte[] derived = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
                .generateSecret(new PBEKeySpec("heron".toCharArray(), salt, 1000, 256))
                .getEncoded();
        HexFormat hex = HexFormat.of();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE users (user_name VARCHAR(50), user_pass VARCHAR(200))");
            statement.execute("CREATE TABLE user_roles (user_name VARCHAR(50), role_name VARCHAR(50))");
            statement.execute("INSERT INTO users VALUES ('ann', '" + hex.formatHex(salt) + "$1000$"
                    + hex.formatHex(derived) + "')");
            statement.execute("INSERT INTO user_roles VALUES ('ann', 'clerk')");
        }
        IdentityStore users = Security.database(source);
        assertEquals(new Identity("ann", Set.of("clerk")), users.verify("ann", "heron"));
        assertNull(users.verify("ann", "egret"));
    }

    @Test
    void rejectEmptyNamesBeforeADirectoryIsAsked() {
        assertNull(Security.directory().verify("", "heron"));
        assertNull(Security.otherDirectory().verify("", "heron"));
    }
}
