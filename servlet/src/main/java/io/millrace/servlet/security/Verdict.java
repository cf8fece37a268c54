package io.millrace.servlet.security;

import java.util.List;

/** What to do with a request. */
public sealed interface Verdict {

    /** Go on. */
    Verdict ADMITTED = new Admitted();

    /** It may go on. */
    record Admitted() implements Verdict {}

    /** To be answered with an error page of this status. */
    record Refused(int status, String reason) implements Verdict {}

    /** To be answered with 401 and a {@code WWW-Authenticate} field for each challenge, the best first. */
    record Challenged(List<String> challenges) implements Verdict {}

    /** To be answered with this status and location. */
    record Redirected(int status, String location) implements Verdict {}

    /** To be answered by a page of the application, reached by a forward as if by GET. */
    record Page(String path) implements Verdict {}
}
