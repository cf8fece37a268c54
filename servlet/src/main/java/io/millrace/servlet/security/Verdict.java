package io.millrace.servlet.security;

/** What to do with a request. */
public sealed interface Verdict {

    /** Go on. */
    Verdict ADMITTED = new Admitted();

    /** It may go on. */
    record Admitted() implements Verdict {}

    /** To be answered with an error page of this status. */
    record Refused(int status, String reason) implements Verdict {}

    /** To be answered with 401 and this {@code WWW-Authenticate} field. */
    record Challenged(String wwwAuthenticate) implements Verdict {}

    /** To be answered with 302 to this location. */
    record Redirected(String location) implements Verdict {}
}
