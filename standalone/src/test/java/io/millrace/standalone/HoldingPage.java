package io.millrace.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An application of one page, which is not answered before a file is there: so long as a test wants requests to run. */
final class HoldingPage {

    static final String PATH = "/holding/page.jsp";

    /** What the page says in the end. */
    static final String ANSWER = "held";

    /** What a thread is in that waits for the file. */
    static final String FRAME = "page_jsp._jspService";

    private final Path release;

    private HoldingPage(Path release) {
        this.release = release;
    }

    /** To be deployed with what else is in this base directory. */
    static HoldingPage in(Path base) throws IOException {
        Path release = base.resolve("holding.release");
        Path application = Files.createDirectories(base.resolve("webapps/holding"));
        Files.writeString(application.resolve("page.jsp"), """
                <%@ page import="java.nio.file.*, java.util.concurrent.locks.LockSupport" %>
                <% while (Files.notExists(Path.of("RELEASE"))) { LockSupport.parkNanos(2_000_000); } %>ANSWER
                """.replace("RELEASE", release.toString())
                .replace("ANSWER", ANSWER));
        return new HoldingPage(release);
    }

    /** Lets all requests for it end. */
    void letGo() throws IOException {
        Files.createFile(release);
    }
}
