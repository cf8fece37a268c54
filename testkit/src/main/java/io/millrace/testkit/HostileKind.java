package io.millrace.testkit;

/** What an attacker does, or as many ordinary clients in its place. */
public enum HostileKind {
    /** Opens connections and resets them. */
    CONNECTS("connects", 100, Reading.ALL),
    /** HTTP/1.1: asks for a big response, and reads a byte a second. */
    H1_READ("h1-read", 1000, Reading.SLOWLY),
    /** HTTP/1.1: the same for a file. */
    H1_FILE("h1-file", 1000, Reading.SLOWLY),
    /** HTTP/1.1: sends many requests at once for a big response, and reads a byte a second. */
    H1_PIPELINE("h1-pipeline", 1000, Reading.SLOWLY),
    /** HTTP/1.1: a byte of a request's head each second. */
    H1_HEAD("h1-head", 1000, Reading.ALL),
    /** HTTP/1.1: a byte of a body each second. */
    H1_BODY("h1-body", 1000, Reading.ALL),
    /** HTTP/1.1: resets the connection within a head, within a body, and within a response, in turn, and begins again. */
    H1_ABORT("h1-abort", 200, Reading.SLOWLY),
    /** HTTP/2: asks for big responses on all streams with windows of 0, and opens each by a byte every five seconds. */
    H2_WINDOWS("h2-windows", 1000, Reading.ALL),
    /** HTTP/2: a byte of each body every five seconds. */
    H2_BODY("h2-body", 1000, Reading.ALL),
    /** HTTP/2: rapid reset (CVE-2023-44487): requests that are reset at once, four hundred a second. */
    H2_RESET("h2-reset", 250, Reading.ALL),
    /** HTTP/2: a hundred requests a second of 120 bytes each, whose cookies become 11 KB by references to the dynamic table. */
    H2_COOKIES("h2-cookies", 1000, Reading.ALL),
    /** SPDY: as {@link #H2_WINDOWS}. */
    SPDY_WINDOWS("spdy-windows", 1000, Reading.ALL),
    /** SPDY: as {@link #H2_BODY}. */
    SPDY_BODY("spdy-body", 1000, Reading.ALL),
    /** SPDY: as {@link #H2_RESET}. */
    SPDY_RESET("spdy-reset", 250, Reading.ALL),
    /** AJP: a front end whose clients read a byte a second. */
    AJP_READ("ajp-read", 1000, Reading.SLOWLY),
    /** AJP: a front end whose clients send a byte of a body each second. */
    AJP_BODY("ajp-body", 1000, Reading.ALL),

    /** No attack: opens connections as often as {@link #CONNECTS}, with a short request each. */
    FAIR_CONNECTS("connects-fair", 100, Reading.ALL),
    /** No attack: opens connections as often as {@link #H1_ABORT}, with a short request each. */
    FAIR_H1("h1-fair", 200, Reading.ALL),
    /** No attack: as many short requests as {@link #H2_RESET}. */
    FAIR_H2_400("h2-fair-400", 250, Reading.ALL),
    /** No attack: as many short requests as {@link #H2_COOKIES}. */
    FAIR_H2_100("h2-fair-100", 1000, Reading.ALL),
    /** No attack: as many short requests as {@link #SPDY_RESET}. */
    FAIR_SPDY("spdy-fair", 250, Reading.ALL);

    private final String label;
    final long tickNanos;
    final Reading reading;

    HostileKind(String label, int tickMillis, Reading reading) {
        this.label = label;
        this.tickNanos = tickMillis * 1_000_000L;
        this.reading = reading;
    }

    /** Whether it needs this protocol: {@code http1}, {@code http2}, {@code spdy} or {@code ajp}. */
    public boolean speaks(String protocol) {
        String first = label.substring(0, label.indexOf('-') < 0 ? label.length() : label.indexOf('-'));
        return switch (first) {
            case "h2" -> protocol.equals("http2");
            case "spdy", "ajp" -> protocol.equals(first);
            default -> protocol.equals("http1");
        };
    }

    /** Whether it is what ordinary clients do as often as an attack: what others get beside it is all that they can get beside that. */
    public boolean isFair() {
        return label.contains("-fair");
    }

    @Override
    public String toString() {
        return label;
    }

    /** How a connection treats what it receives. */
    enum Reading {
        /** A byte a tick, with a tiny receive buffer. */
        SLOWLY,
        /** All of it, at once. */
        ALL
    }

    /**
     * What the attackers ask for.
     *
     * @param big a response that fills all buffers
     * @param file a file that does
     * @param upload reads a body
     * @param small a short response
     */
    public record Targets(String big, String file, String upload, String small) {}
}
