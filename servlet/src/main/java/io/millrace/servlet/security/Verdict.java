package io.millrace.servlet.security;

import java.util.List;

/** The decision of access control on a request. */
public sealed interface Verdict {

    /** The request is admitted. */
    Verdict ADMITTED = new Admitted();

    /** The request is admitted: the first filter is called. */
    record Admitted() implements Verdict {}

    /** The request is refused; the response is an error page with this status and reason. */
    record Refused(int status, String reason) implements Verdict {}

    /** The response is 401 with a {@code WWW-Authenticate} field for each challenge, the preferred one first. */
    record Challenged(List<String> challenges) implements Verdict {}

    /** The response is a redirect with this status and location. */
    record Redirected(int status, String location) implements Verdict {}

    /** The response is a page of the application, to which the request is forwarded as a GET. */
    record Page(String path) implements Verdict {}
}
