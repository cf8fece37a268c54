package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples that come with Tomcat … */
@NullUnmarked
@Tag("wars")
final class TomcatExamplesIT {

    private static final String USERS = """
            <tomcat-users>
              <role rolename="tomcat"/>
              <user username="ada" password="lovelace" roles="tomcat"/>
            </tomcat-users>
            """;

    @RegisterExtension
    static final ServedWar WAR = ServedWar.at("/examples", Product.war("apache-tomcat-9.0.98/webapps/examples"))
            .users(USERS);

    private final Visitor visitor = WAR.visitor();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jsp/index.html                             | JSP Examples
            jsp/dates/date.jsp                         | Day of month
            jsp/jsp2/el/basic-arithmetic.jsp?foo=1     | <td>${(1==2) ? 3 : 4}</td>
            jsp/jsp2/el/functions.jsp?foo=JSP+2.0      | 0.2 PSJ
            jsp/jsp2/simpletag/hello.jsp               | Hello, world!
            jsp/jsp2/tagfiles/panel.jsp                | First panel.
            jsp/jsp2/jspx/basic.jspx                   | JSPX
            jsp/jsp2/misc/config.jsp                   | prelude
            jsp/include/include.jsp                    | In place evaluation
            jsp/jsptoserv/jsptoservlet.jsp             | servletToJsp
            jsp/num/numguess.jsp                       | Guess
            jsp/snp/snoop.jsp                          | Request Information
            jsp/xml/xml.jsp                            | Example JSP in XML format
            jsp/error/err.jsp?name=integra&submit=x    | is my favorite car
            servlets/servlet/HelloWorldExample         | Hello World
            servlets/servlet/RequestInfoExample/x      | /x
            async/async3                               | Output from
            servlets/trailers/response                 | This response should include trailer fields
            """)
    void answers(String path, String expected) throws Exception {
        Visitor.Page page = visitor.visit("/" + path);
        assertEquals(200, page.status(), page.body());
        assertTrue(page.body().contains(expected), page.body());
    }

    @Test
    void guardsItsPagesByAForm() throws Exception {
        Visitor.Page form = visitor.visit("/jsp/security/protected/index.jsp");
        assertTrue(form.says("j_password"), form.body());
        Visitor.Page wrong =
                visitor.visit("/jsp/security/protected/j_security_check", "-d", "j_username=ada&j_password=wrong");
        assertTrue(wrong.says("Invalid user name"), wrong.body());

        visitor.visit("/jsp/security/protected/index.jsp");
        Visitor.Page page =
                visitor.visit("/jsp/security/protected/j_security_check", "-d", "j_username=ada&j_password=lovelace");
        assertEquals(200, page.status(), page.body());
        assertTrue(page.says("You are logged in as remote user") && page.says("ada"), page.body());
        assertTrue(
                visitor.visit("/jsp/security/protected/index.jsp?role=tomcat").says("You have been granted role"));
    }

    @Test
    void keepsWhatWasPutIntoASession() throws Exception {
        visitor.visit("/servlets/servlet/SessionExample?dataname=colour&datavalue=slate");
        Visitor.Page page = visitor.visit("/servlets/servlet/SessionExample");
        assertTrue(page.says("colour = slate"), page.body());
        assertTrue(
                visitor.visit("/jsp/sessions/carts.jsp?item=NIN+CD&submit=add").says("NIN CD"));
        assertTrue(visitor.visit("/jsp/sessions/carts.jsp?item=JSP+Book&submit=add")
                .says("NIN CD"));
    }

    @Test
    void countsAndWritesBytesWithoutBlocking() throws Exception {
        Path file = Files.writeString(WAR.file("bytes.txt"), "0123456789".repeat(30_000));
        Visitor.Page counted = visitor.visit(
                "/servlets/nonblocking/bytecounter", "--data-binary", "@" + file, "-H", "Content-Type: text/plain");
        assertTrue(counted.says("Total bytes written = [300000]"), counted.body());
        assertEquals(
                210_000,
                visitor.visit("/servlets/nonblocking/numberwriter").body().length());
    }

    @Test
    void addsWhatTomcatsHeaderFilterAdds() throws Exception {
        Visitor.Page page = visitor.visit("/servlets/servlet/HelloWorldExample", "-i");
        assertTrue(
                page.body().toLowerCase(java.util.Locale.ROOT).contains("x-content-type-options: nosniff"),
                page.body());
    }
}
