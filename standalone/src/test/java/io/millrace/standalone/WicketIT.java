package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of Apache Wicket: forty applications, each a filter, in one WAR … */
@NullUnmarked
@Tag("wars")
final class WicketIT {

    @RegisterExtension
    static final ServedWar WAR = ServedWar.at("/wicket-examples", Product.war("wicket-examples"));

    private final Visitor visitor = WAR.visitor();

    @Test
    void showsItsIndexAndStaticFiles() throws Exception {
        Visitor.Page index = visitor.visit("/");
        assertTrue(index.says("Live examples to learn Apache Wicket"), index.body());
        assertEquals(200, visitor.visit("/main_style.css").status());
        assertEquals(404, visitor.visit("/no-such-thing").status());
    }

    @Test
    void keepsASessionInTheUrlForThoseWithoutCookies() throws Exception {
        Visitor.Page form = visitor.visit("/forminput", "-b", "none=1");
        assertTrue(form.url().contains(";jsessionid="), form.url());
    }

    @Test
    void refusesAFormThatIsFilledInWrongly() throws Exception {
        visitor.visit("/forminput");
        String action = visitor.visit("/forminput/").find("action=\"\\./([^\"]*inputForm)\"");
        Visitor.Page answer =
                visitor.visit("/forminput/" + action, "-d", "stringProperty=a&integerProperty=abc&doubleProperty=1.5");
        assertTrue(answer.says("is not a valid Integer"), answer.body());
    }

    @Test
    void takesAnUpload() throws Exception {
        Path file = Files.writeString(WAR.file("note.txt"), "one line");
        visitor.visit("/upload/single");
        String action = visitor.visit("/upload/single").find("action=\"\\./([^\"]*simpleUpload)\"");
        Visitor.Page answer = visitor.visit("/upload/" + action, "-F", "fileInput=@" + file);
        assertTrue(answer.says("saved file: note.txt"), answer.body());
    }

    @Test
    void logsAUserIn() throws Exception {
        Visitor.Page form = visitor.visit("/authentication1/");
        assertFalse(form.says("Sign out"), form.body());
        String action = form.find("action=\"\\./([^\"]*signInForm)\"");
        String directoryOfForm = form.url().replaceFirst("[^/]*(\\?.*)?$", "");
        Visitor.Page answer =
                visitor.visit(directoryOfForm + action, "-d", "username=wicket&password=wicket&submit=Sign+In");
        assertFalse(answer.says("type=\"password\""), answer.body());
        assertEquals(200, answer.status());
    }
}
