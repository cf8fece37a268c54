package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Our guest book of Struts 2.5: a filter for everything, pages with Struts's tags and JSTL, uploads it parses itself … */
@NullUnmarked
@Tag("wars")
final class StrutsIT {

    @RegisterExtension
    static final ServedWar WAR = ServedWar.at("/millrace-struts", Product.STRUTS.toString());

    private final Visitor visitor = WAR.visitor();

    @Test
    void showsItsPageFromTheWelcomeFile() throws Exception {
        Visitor.Page page = visitor.visit("/");
        assertTrue(page.url().contains("/millrace-struts/guests"), page.url());
        assertEquals("You are a stranger.", page.find("<p id=\"you\">(.*?)</p>"));
        assertTrue(page.find("<form (.*?)>").contains("action=\"/millrace-struts/sign.action\""), page.body());
    }

    @Test
    void leavesFilesToTheContainer() throws Exception {
        assertTrue(visitor.visit("/style.css").says("font:"));
        assertTrue(visitor.visit("/static/utils.js").says("function"), "a file in Struts's jar");
        assertEquals(404, visitor.visit("/no-such-thing").status());
        assertEquals(404, visitor.visit("/no-such-thing.css").status());
        assertEquals(404, visitor.visit("/WEB-INF/web.xml").status());
    }

    @Test
    void refusesAFormThatIsFilledInWrongly() throws Exception {
        Visitor.Page empty = visitor.visit("/sign.action", "-d", "name=&age=");
        assertTrue(empty.says("Who are you?") && empty.says("How old are you?"), empty.body());
        Visitor.Page young = visitor.visit("/sign", "-d", "name=Tom&age=12");
        assertTrue(young.says("Come back when you are 18."), young.body());
        assertTrue(young.says("value=\"Tom\""), young.body());
        Visitor.Page odd = visitor.visit("/sign", "-d", "name=Tom&age=old");
        assertTrue(odd.says("Invalid field value for field"), odd.body());
        assertFalse(visitor.visit("/guests").says("<li>Tom"));
    }

    @Test
    void redirectsAfterAPostAndKeepsTheNameInTheSession() throws Exception {
        Visitor.Page thanks = visitor.visit("/sign", "-d", "name=Ada+%3Cb%3E&age=36");
        assertTrue(thanks.url().contains("/guests"), thanks.url());
        assertTrue(thanks.says("Thank you, Ada"), thanks.body());
        assertTrue(thanks.says("<li>Ada &lt;b&gt;, 36</li>"), thanks.body());

        Visitor.Page again = visitor.visit("/guests");
        assertEquals("You are Ada &lt;b&gt;.", again.find("<p id=\"you\">(.*?)</p>"));
        assertFalse(again.says("Thank you"), again.body());
        Visitor.Page other = WAR.stranger().visit("/guests");
        assertEquals("You are a stranger.", other.find("<p id=\"you\">(.*?)</p>"));
    }

    @Test
    void takesAnUploadWithinItsLimits() throws Exception {
        Path note = Files.writeString(WAR.file("note.txt"), "a & b\n".repeat(1000));
        Visitor.Page answer = visitor.visit("/note", "-F", "title=A title", "-F", "note=@" + note);
        assertTrue(answer.says("<h1>A title</h1>") && answer.says("<p>note.txt</p>"), answer.body());
        assertEquals("a & b\n".repeat(1000), answer.find("<pre>(.*?)</pre>"));

        Path large = Files.writeString(WAR.file("large.txt"), "x".repeat(65537));
        assertTrue(visitor.visit("/note", "-F", "note=@" + large).says("too large"));
        Path program = Files.writeString(WAR.file("note.exe"), "x");
        assertTrue(visitor.visit("/note", "-F", "note=@" + program).says("extension not allowed"));
        assertTrue(visitor.visit("/note", "-F", "title=none").says("Which file?"));
    }

    @Test
    void answersJson() throws Exception {
        visitor.visit("/sign", "-d", "name=Zo%C3%AB&age=40");
        Visitor.Page json = visitor.visit("/api/guests", "-H", "Accept: application/json", "-i");
        assertTrue(json.find("(?i)(content-type: [^\r\n]*)")
                .toLowerCase(Locale.ROOT)
                .contains("application/json"));
        assertTrue(json.says("\"name\":\"Zo"), json.body());
        assertTrue(json.says("{\"age\":40,"), json.body());
    }
}
