package io.millrace.http;

/** The version of HTTP, or of the protocol that carries it, of a request. */
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

    /** The name as in the start line and in {@code ServletRequest.getProtocol()}. */
    @Override
    public String toString() {
        return text;
    }
}
