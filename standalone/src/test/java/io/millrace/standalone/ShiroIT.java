package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The web sample of Apache Shiro (JSP pages with JSTL and tags of its own, a filter that guards them) … */
@Tag("wars")
final class ShiroIT {

    @Test
    void letsItsUsersInAndOut(@TempDir Path directory) throws Exception {
        try (Product product = Product.process()
                .serving(
                        "run",
                        "--port=0",
                        "--address=127.0.0.1",
                        "--work=" + directory.resolve("work"),
                        Product.war("samples-web"))) {
            Visitor visitor = new Visitor(product.url("/samples-web"), directory.resolve("cookies"));
            assertTrue(visitor.visit("/").says("Hi Guest!"));
            assertEquals(200, visitor.visit("/style.css").status());

            Visitor.Page guarded = visitor.visit("/account/");
            assertTrue(guarded.url().endsWith("/login.jsp"), guarded.url());
            Visitor.Page wrong = visitor.visit("/login.jsp", "-d", "username=lonestarr&password=wrong");
            assertTrue(wrong.url().endsWith("/login.jsp"), wrong.url());

            Visitor.Page account = visitor.visit("/login.jsp", "-d", "username=lonestarr&password=vespa");
            assertTrue(account.url().endsWith("/account/"), account.url());
            assertTrue(account.says("You are currently logged in."), account.body());
            Visitor.Page home = visitor.visit("/home.jsp");
            String roles = home.find("Roles you have</h3>(.*?)<h3>");
            assertTrue(roles.contains("schwartz") && !roles.contains("admin"), roles);

            visitor.visit("/logout", "-d", "");
            assertTrue(visitor.visit("/account/").url().endsWith("/login.jsp"));
        }
    }
}
