package io.millrace.standalone.differential;

import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One request of a case. {@code {session}} in its target stands for the id of the session that the case has. */
public final class Step {

    /** A user and a password for a DIGEST login, answering the challenge of the step before. */
    record Digest(String user, String password) {}

    private final String method;
    private final String target;
    private final List<String> headers = new ArrayList<>();
    private String version = "HTTP/1.1";
    private byte[] body = new byte[0];
    private boolean cookies = true;
    private List<Digest> digest = List.of();

    private Step(String method, String target) {
        this.method = method;
        this.target = target;
    }

    static Step get(String target) {
        return of("GET", target);
    }

    static Step of(String method, String target) {
        return new Step(method, target);
    }

    /** A form, as a browser sends it. */
    static Step form(String target, String body) {
        return of("POST", target).body("application/x-www-form-urlencoded", body);
    }

    Step header(String name, String value) {
        headers.add(name + ": " + value);
        return this;
    }

    /** What the servlet or page at a level of dispatches does. */
    Step run(int level, String script) {
        return header("X-Do" + level, escaped(script));
    }

    Step before(String filter, String script) {
        return header("X-Before-" + filter, escaped(script));
    }

    Step after(String filter, String script) {
        return header("X-After-" + filter, escaped(script));
    }

    private static String escaped(String script) {
        return URLEncoder.encode(script.strip().replaceAll("\\s*\n\\s*", " "), StandardCharsets.UTF_8);
    }

    Step body(String type, String text) {
        return body(type, text.getBytes(StandardCharsets.UTF_8));
    }

    Step body(String type, byte[] bytes) {
        if (!type.isEmpty()) {
            header("Content-Type", type);
        }
        body = bytes;
        return this;
    }

    Step http10() {
        version = "HTTP/1.0";
        return this;
    }

    /** As a client that keeps no cookies. */
    Step withoutCookies() {
        cookies = false;
        return this;
    }

    Step digest(String user, String password) {
        digest = List.of(new Digest(user, password));
        return this;
    }

    String method() {
        return method;
    }

    boolean keepsCookies() {
        return cookies;
    }

    List<Digest> digest() {
        return digest;
    }

    String target(String session) {
        return target.replace("{session}", session);
    }

    private boolean has(String name) {
        return headers.stream().anyMatch(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"));
    }

    /** The bytes to send, with further header lines. */
    byte[] request(String session, List<String> further) {
        StringBuilder head = new StringBuilder();
        head.append(method)
                .append(' ')
                .append(target(session))
                .append(' ')
                .append(version)
                .append("\r\n");
        if (!has("host")) {
            head.append("Host: probe.test\r\n");
        }
        if (version.equals("HTTP/1.1")) {
            head.append("Connection: close\r\n");
        }
        if (!has("accept")) {
            head.append("Accept: text/html, */*\r\n");
        }
        boolean sends = body.length > 0 || method.equals("POST") || method.equals("PUT");
        if (sends && !has("transfer-encoding") && !has("content-length")) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        headers.forEach(line -> head.append(line.replace("{session}", session)).append("\r\n"));
        further.forEach(line -> head.append(line).append("\r\n"));
        head.append("\r\n");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
        all.writeBytes(body);
        return all.toByteArray();
    }
}
