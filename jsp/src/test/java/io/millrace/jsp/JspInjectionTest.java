package io.millrace.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.servlet.WebApplication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What pages and tag libraries are made of gets what it asks for … */
final class JspInjectionTest {

    private static final String ENTRY = "<env-entry><env-entry-name>greeting</env-entry-name>"
            + "<env-entry-type>java.lang.String</env-entry-type><env-entry-value>good day</env-entry-value></env-entry>";

    private static final String LIBRARY = """
            <taglib xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="2.1">
              <tlib-version>1</tlib-version><short-name>g</short-name><uri>urn:greetings</uri>
              <listener><listener-class>io.millrace.jsp.TaglibListener</listener-class></listener>
              <tag><name>greet</name><tag-class>io.millrace.jsp.GreetingTag</tag-class>
                <body-content>empty</body-content></tag>
            </taglib>
            """;

    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    private Site start(Site site) throws Exception {
        return site.start(WebApplication.war(site.root()).configure(context -> context.setAttribute("told", told)));
    }

    private static Site site(Path directory) throws Exception {
        return new Site(Files.createDirectory(directory.resolve("app")))
                .webXml(ENTRY)
                .with("WEB-INF/greetings.tld", LIBRARY)
                .withClass(GreetingTag.class)
                .withClass(TaglibListener.class);
    }

    @Test
    void inTagHandlersAndInListenersOfTagLibraries(@TempDir Path directory) throws Exception {
        try (Site site = start(site(directory)
                .with(
                        "page.jsp",
                        "<%@ taglib prefix='g' uri='urn:greetings' %><g:greet/>, ${applicationScope.heard}"))) {
            assertEquals("made with good day, heard good day", site.body("/page.jsp"));
            assertEquals("made with good day, heard good day", site.body("/page.jsp"));
        }
        assertEquals(List.of("ended", "destroyed"), List.copyOf(told));
    }

    @Test
    void inPages(@TempDir Path directory) throws Exception {
        try (Site site = start(site(directory)
                .with("page.jsp", "<%! @javax.annotation.Resource(name = \"greeting\") String text; %><%= text %>"))) {
            assertEquals("good day", site.body("/page.jsp"));
        }
    }
}
