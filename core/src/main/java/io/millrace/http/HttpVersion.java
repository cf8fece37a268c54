package io.millrace.http;

/** A version of HTTP, or a protocol that carries it, as a request names it. */
public enum HttpVersion {
    HTTP_1_0("HTTP/1.0"),
    HTTP_1_1("HTTP/1.1"),
    HTTP_2("HTTP/2.0"),
    SPDY_3("SPDY/3"),
    SPDY_3_1("SPDY/3.1");

    private final String text;

    HttpVersion(String text) {
        this.text = text;
    }

    /** As in the start line and in {@code ServletRequest.getProtocol()}. */
    @Override
    public String toString() {
        return text;
    }
}
