package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Our guest book of Spring MVC 5.3: no web.xml, a servlet mapped to "/", Hibernate Validator, async answers … */
@NullUnmarked
@Tag("wars")
final class SpringMvcIT {

    @RegisterExtension
    static final ServedWar WAR = ServedWar.at("/millrace-spring-mvc", Product.SPRING_MVC.toString());

    private final Visitor visitor = WAR.visitor();

    @Test
    void showsItsPageFromTheWelcomeFile() throws Exception {
        Visitor.Page page = visitor.visit("/");
        assertTrue(page.url().contains("/millrace-spring-mvc/guests"), page.url());
        assertEquals("You are a stranger.", page.find("<p id=\"you\">(.*?)</p>"));
        assertTrue(page.says("<input id=\"name\" name=\"name\" type=\"text\" value=\"\"/>"), page.body());
    }

    @Test
    void handsFilesToTheServletNamedDefault() throws Exception {
        assertTrue(visitor.visit("/style.css").says("font:"));
        assertEquals(404, visitor.visit("/no-such-thing").status());
        assertEquals(404, visitor.visit("/WEB-INF/pages/guests.jsp").status());
    }

    @Test
    void refusesAFormThatIsFilledInWrongly() throws Exception {
        Visitor.Page empty = visitor.visit("/guests", "-d", "name=&age=");
        assertTrue(empty.says("Who are you?") && empty.says("How old are you?"), empty.body());
        Visitor.Page young = visitor.visit("/guests", "-d", "name=Tom&age=12");
        assertTrue(young.says("Come back when you are 18."), young.body());
        assertTrue(young.says("value=\"Tom\""), young.body());
        assertFalse(visitor.visit("/guests").says("<li>Tom"));
    }

    @Test
    void redirectsAfterAPostAndKeepsTheNameInTheSession() throws Exception {
        Visitor.Page thanks = visitor.visit("/guests", "-d", "name=Zo%C3%AB+%3Cb%3E&age=36");
        String zoe = new String("Zoë".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        assertEquals("Thank you, " + zoe + " &lt;b&gt;.", thanks.find("<p id=\"notice\">(.*?)</p>"));
        assertTrue(thanks.says("<li>" + zoe + " &lt;b&gt;, 36</li>"), thanks.body());

        Visitor.Page again = visitor.visit("/guests");
        assertEquals("You are " + zoe + " &lt;b&gt;.", again.find("<p id=\"you\">(.*?)</p>"));
        assertFalse(again.says("Thank you"), again.body());
        Visitor.Page other = WAR.stranger().visit("/guests");
        assertEquals("You are a stranger.", other.find("<p id=\"you\">(.*?)</p>"));
    }

    @Test
    void takesAnUploadToItsRelativeLocation() throws Exception {
        Path note = Files.writeString(WAR.file("note.txt"), "one line\n".repeat(1000));
        Visitor.Page answer = visitor.visit("/notes", "-F", "title=A title", "-F", "note=@" + note);
        assertTrue(answer.says("<h1>A title</h1>"), answer.body());
        assertTrue(answer.says("<p>note.txt of 9000 bytes</p>"), answer.body());
        assertEquals("one line\n".repeat(1000), answer.find("<pre>(.*?)</pre>"));
        assertEquals(400, visitor.visit("/notes", "-F", "title=none").status());
    }

    @Test
    void tellsSpringThatAnUploadIsTooLarge() throws Exception {
        Path large = Files.writeString(WAR.file("large.txt"), "x".repeat(65537));
        Visitor.Page answer = visitor.visit("/notes", "-F", "title=Large", "-F", "note=@" + large);
        assertEquals(413, answer.status(), answer.body());
        assertEquals("That is more than a note.", answer.body());
    }

    @Test
    void takesAndAnswersJson() throws Exception {
        Visitor.Page created = post("{\"name\":\"Grace\",\"age\":45}", "-i");
        assertTrue(created.body().startsWith("HTTP/1.1 201"), created.body());
        String location = created.find("(?i)location: ([^\r\n]+)");
        assertEquals("{\"name\":\"Grace\",\"age\":45}", visitor.visit(location).body());
        assertTrue(visitor.visit("/api/guests").body().matches("\\[.*\\{\"name\":\"Grace\",\"age\":45}.*]"));
        assertEquals(400, post("{\"name\":\"\",\"age\":45}").status());
        assertEquals(400, post("{").status());
        assertEquals(404, visitor.visit("/api/guests/1000").status());
        assertEquals(405, visitor.visit("/api/guests", "-X", "DELETE").status());
    }

    @Test
    void showsAPageThatAnotherThreadMadeReady() throws Exception {
        Visitor.Page page = visitor.visit("/later");
        assertEquals("Made by spring-1", page.find("<p id=\"notice\">(.*?)</p>"));
        assertTrue(page.says("<h1>Guest book</h1>"), page.body());
    }

    @Test
    void answersWhoWaitsWhenTheNextGuestSigns() throws Exception {
        Process waiting = Command.start(List.of("curl", "-sS", "--max-time", "30", WAR.url() + "/api/guests/next"));
        try {
            CompletableFuture<String> answer = Command.outputOf(waiting);
            while (visitor.visit("/api/guests/waiting").says("0")) {
                assertFalse(answer.isDone(), "answered before there was a guest");
            }
            assertEquals(201, post("{\"name\":\"Barbara\",\"age\":50}").status());
            assertEquals("{\"name\":\"Barbara\",\"age\":50}", Deadline.await(answer));
        } finally {
            waiting.destroyForcibly();
        }
        assertEquals("0", visitor.visit("/api/guests/waiting").body());
    }

    @Test
    void answersWhoWaitedInVain() throws Exception {
        assertEquals(204, visitor.visit("/api/guests/next?ms=100").status());
    }

    private Visitor.Page post(String json, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("-H", "Content-Type: application/json", "-d", json));
        words.addAll(List.of(options));
        return visitor.visit("/api/guests", words.toArray(String[]::new));
    }
}
