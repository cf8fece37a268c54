package io.millrace.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A page that several servlets run, each with an instance of Jasper that compiles it into the same files … */
@Timeout(120)
final class SharedPageTest {

    private static final int SERVLETS = 6;

    @TempDir
    private Path directory = Path.of("");

    private Site site;

    @BeforeEach
    void makeRoot() throws IOException {
        site = new Site(Files.createDirectories(directory.resolve("root")));
    }

    @AfterEach
    void stop() {
        site.close();
    }

    @Test
    void isCompiledOnceThoughAllAreAskedAtTheSameTime() throws Exception {
        StringBuilder servlets = new StringBuilder();
        for (int i = 0; i < SERVLETS; i++) {
            servlets.append("<servlet><servlet-name>p")
                    .append(i)
                    .append("</servlet-name><jsp-file>/page.jsp</jsp-file>");
            servlets.append("</servlet><servlet-mapping><servlet-name>p")
                    .append(i)
                    .append("</servlet-name>");
            servlets.append("<url-pattern>/p").append(i).append("</url-pattern></servlet-mapping>");
        }
        site.webXml(servlets.toString())
                .with("WEB-INF/tags/inner.tag", "inner")
                .with("WEB-INF/tags/outer.tag", "<%@ taglib prefix='t' tagdir='/WEB-INF/tags' %>(<t:inner/>)")
                .with(
                        "page.jsp",
                        "<%@ taglib prefix='t' tagdir='/WEB-INF/tags' %>page <t:outer/>" + " ${1 + 1}".repeat(200))
                .start();
        List<String> paths = new ArrayList<>(List.of("/page.jsp"));
        for (int i = 0; i < SERVLETS; i++) {
            paths.add("/p" + i);
        }
        assertEquals(
                Collections.nCopies(paths.size(), "200 page (inner) 2"), askedTogether(paths), "all, asked together");
    }

    private List<String> askedTogether(List<String> paths) throws InterruptedException, ExecutionException {
        ExecutorService clients = Executors.newFixedThreadPool(paths.size());
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (String path : paths) {
                answers.add(clients.submit(() -> {
                    HttpResponse<String> response = site.get(path);
                    return response.statusCode() + " " + response.body().strip().replaceAll("( 2)+$", " 2");
                }));
            }
            List<String> found = new ArrayList<>();
            for (Future<String> answer : answers) {
                found.add(answer.get());
            }
            return found.stream()
                    .map(text -> text.lines().limit(3).collect(Collectors.joining()))
                    .toList();
        } finally {
            clients.shutdownNow();
        }
    }
}
