package io.millrace.standalone.differential;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Asks one server what a case asks, and writes down what it answers, without what is different in every run. */
final class ProbeClient {

    private static final int TIMEOUT = 5_000;
    private static final int MAX_SHOWN = 1500;

    /** What says nothing of applications: the server, the time, and how the body is framed. */
    private static final Set<String> LEFT_OUT =
            Set.of("date", "server", "connection", "keep-alive", "transfer-encoding");

    private static final Pattern SESSION =
            Pattern.compile("(?<=JSESSIONID=|jsessionid=|JSESSIONIDSSO=)[0-9A-Za-z._-]+");
    private static final Pattern ID = Pattern.compile("\\b[0-9A-F]{32}\\b|(?<=')[A-Za-z0-9_-]{27}(?=')");
    private static final Pattern NONCE = Pattern.compile("(?<=nonce=\"|opaque=\")[^\"]*");
    /** Times of this run: of cookies that expire, and of files that it wrote. */
    private static final Pattern NOW = Pattern.compile(
            "\\w{3}, \\d\\d \\w{3} 20(2[4-9]|[3-9]\\d) [\\d:]{8} GMT|(?<=-)1[7-9]\\d{11}(?=\")|20\\d\\d-\\d\\d-\\d\\dT[\\d:]{8}Z");

    private static final Pattern LOCK = Pattern.compile("(?<=urn:uuid:)[0-9a-f-]{36}");
    private static final Pattern REFERENCE = Pattern.compile("(?<=[Rr]eference(\": ?\"|: ))[0-9A-Z]{8}");
    private static final Pattern ERROR_PAGE =
            Pattern.compile("(?s)^<!doctype html>.*<title>(HTTP Status )?(\\d{3}).*", Pattern.CASE_INSENSITIVE);

    private final int port;

    ProbeClient(int port) {
        this.port = port;
    }

    /** One client's state. */
    private static final class State {
        final Map<String, String> cookies = new LinkedHashMap<>();
        final Map<String, String> ids = new LinkedHashMap<>();
        String challenge = "";
        String session = "";
    }

    private record Response(int status, List<String> headers, String body, String end) {

        String first(String name) {
            return headers.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst()
                    .orElse("");
        }
    }

    Answer ask(Case asked) throws IOException {
        Answer answer = new Answer();
        State state = new State();
        // one for all steps: a saved request may bring back the headers of an earlier one
        String id = asked.name().replaceAll("[^A-Za-z0-9-]", "_") + "."
                + Integer.toHexString(asked.name().hashCode());
        int number = 0;
        for (Step step : asked.steps()) {
            String label = asked.steps().size() == 1 ? "" : number + " ";
            List<String> further = new ArrayList<>(List.of("X-Case: " + id));
            if (step.keepsCookies() && !state.cookies.isEmpty()) {
                StringBuilder line = new StringBuilder("Cookie: ");
                state.cookies.forEach((name, value) -> line.append(line.length() > 8 ? "; " : "")
                        .append(name)
                        .append('=')
                        .append(value));
                further.add(line.toString());
            }
            step.digest().forEach(login -> further.add(digest(step, login, state)));
            Response response = exchange(step.method(), step.request(state.session, further));
            remember(response, state);
            write(answer, label, step.method(), response, state);
            Response trace = exchange(
                    "GET",
                    ("GET " + asked.application() + "/trace?" + id
                                    + " HTTP/1.1\r\nHost: probe.test\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            if (trace.status == 200) {
                new String(trace.body.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
                        .lines()
                        .forEach(line -> writeTrace(answer, label, line, state));
            }
            number++;
        }
        return answer;
    }

    private static void remember(Response response, State state) {
        for (String line : response.headers) {
            if (line.toLowerCase(Locale.ROOT).startsWith("set-cookie:")) {
                String cookie = line.substring(11).strip().split(";", 2)[0];
                int equals = cookie.indexOf('=');
                String name = cookie.substring(0, Math.max(equals, 0));
                String value = cookie.substring(equals + 1);
                state.cookies.put(name, value);
                if (name.equals("JSESSIONID")) {
                    state.session = value;
                }
            }
        }
        String text = response.first("location") + " " + response.body;
        Matcher url = Pattern.compile(";jsessionid=([0-9A-Za-z._-]+)").matcher(text);
        if (state.session.isEmpty() && url.find()) {
            state.session = url.group(1);
        }
        String challenge = response.first("www-authenticate");
        if (!challenge.isEmpty()) {
            state.challenge = challenge;
        }
    }

    private static String digest(Step step, Step.Digest login, State state) {
        Map<String, String> given = new TreeMap<>();
        Matcher parameter = Pattern.compile("(\\w+)=\"([^\"]*)\"").matcher(state.challenge);
        while (parameter.find()) {
            given.put(parameter.group(1), parameter.group(2));
        }
        String uri = step.target(state.session);
        String first = md5(login.user() + ":" + given.get("realm") + ":" + login.password());
        String second = md5(step.method() + ":" + uri);
        String response = md5(first + ":" + given.get("nonce") + ":00000001:abc:auth:" + second);
        return "Authorization: Digest username=\"" + login.user() + "\", realm=\"" + given.get("realm") + "\", nonce=\""
                + given.get("nonce") + "\", uri=\"" + uri + "\", qop=auth, nc=00000001, cnonce=\"abc\", response=\""
                + response
                + "\", opaque=\"" + given.get("opaque") + "\"";
    }

    private static String md5(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.ISO_8859_1)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void write(Answer answer, String label, String method, Response response, State state) {
        answer.put(label + Answer.STATUS, Integer.toString(response.status));
        String body = response.body;
        boolean errorPage = response.status >= 400 && ERROR_PAGE.matcher(body).matches();
        TreeMap<String, List<String>> sorted = new TreeMap<>();
        for (String line : response.headers) {
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
            boolean framing = name.equals("content-length") && body.startsWith("<?xml")
                    || name.equals("content-length") && (errorPage || method.equals("HEAD") && response.status >= 400)
                    || name.equals("content-language")
                            && (errorPage || method.equals("HEAD") && response.status >= 400);
            if (!LEFT_OUT.contains(name) && !framing) {
                sorted.computeIfAbsent(name, key -> new ArrayList<>())
                        .add(line.substring(colon + 1).strip());
            }
        }
        sorted.forEach(
                (name, values) -> values.forEach(value -> answer.put(label + "header " + name, normal(value, state))));
        answer.put(label + "body", errorPage ? "<error page>" : normal(text(response, body), state));
        if (!response.end.isEmpty()) {
            answer.put(label + "end", response.end);
        }
    }

    private static String text(Response response, String body) {
        if (response.first("content-encoding").equals("gzip")) {
            try (GZIPInputStream in = new GZIPInputStream(
                    new ByteArrayInputStream(response.body.getBytes(StandardCharsets.ISO_8859_1)))) {
                return "gzip: " + new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            } catch (IOException e) {
                return "not gzip: " + body;
            }
        }
        return body.startsWith("<?xml") ? XmlBody.comparable(body) : body;
    }

    private void writeTrace(Answer answer, String label, String line, State state) {
        int at = line.indexOf(" = ");
        int thrown = line.indexOf(" ! ");
        if (at < 0 || thrown >= 0 && thrown < at) {
            at = thrown;
        }
        if (at < 0) {
            answer.put(label + "trace " + normal(line, state), "noted");
        } else {
            String value = line.substring(at + (line.startsWith(" = ", at) ? 3 : 1));
            boolean isPort = value.equals(Integer.toString(port));
            answer.put(
                    label + "trace " + normal(line.substring(0, at), state), isPort ? "<port>" : normal(value, state));
        }
    }

    /** Without ports, session ids and nonces; in ASCII. */
    private String normal(String value, State state) {
        String text = SESSION.matcher(value).replaceAll(id -> numbered(id.group(), state));
        text = ID.matcher(text).replaceAll(id -> numbered(id.group(), state));
        text = NONCE.matcher(text).replaceAll("<nonce>");
        text = LOCK.matcher(text).replaceAll("<token>");
        text = REFERENCE.matcher(NOW.matcher(text).replaceAll("<now>")).replaceAll("<reference>");
        text = text.replace(":" + port, ":<port>");
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < Math.min(text.length(), MAX_SHOWN); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> shown.append("\\n");
                case '\r' -> shown.append("\\r");
                case '|' -> shown.append("\\x7c");
                default -> {
                    if (c < ' ' || c > '~') {
                        shown.append("\\x")
                                .append(Integer.toHexString(0x100 + c).substring(1));
                    } else {
                        shown.append(c);
                    }
                }
            }
        }
        if (text.length() > MAX_SHOWN) {
            shown.append("... ")
                    .append(text.length())
                    .append(" characters, hash ")
                    .append(text.hashCode());
        }
        return shown.toString();
    }

    private static String numbered(String id, State state) {
        return state.ids.computeIfAbsent(id, key -> "<session" + (state.ids.size() + 1) + ">");
    }

    private Response exchange(String method, byte[] request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT);
            socket.setTcpNoDelay(true);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            String end = "";
            try {
                socket.getOutputStream().write(request);
                InputStream in = socket.getInputStream();
                byte[] chunk = new byte[16_384];
                for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                    all.write(chunk, 0, read);
                }
            } catch (SocketTimeoutException e) {
                end = "not closed";
            } catch (IOException e) {
                end = "reset";
            }
            return parse(method, all.toByteArray(), end);
        }
    }

    private static Response parse(String method, byte[] bytes, String end) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int from = 0;
        while (true) {
            int blank = text.indexOf("\r\n\r\n", from);
            if (!text.startsWith("HTTP/1.", from) || blank < 0) {
                return new Response(0, List.of(), text, end + " no response");
            }
            List<String> lines = List.of(text.substring(from, blank).split("\r\n", -1));
            int status = status(lines.get(0));
            from = blank + 4;
            if (status != 100) {
                String body = text.substring(from);
                Response head = new Response(status, lines.subList(1, lines.size()), "", end);
                if (head.first("transfer-encoding").equals("chunked") && !method.equals("HEAD")) {
                    StringBuilder joined = new StringBuilder();
                    end = dechunk(body, joined) ? end : end + "incomplete";
                    body = joined.toString();
                } else if (!head.first("content-length").isEmpty()
                        && !method.equals("HEAD")
                        && status != 304
                        && Long.parseLong(head.first("content-length")) != body.length()) {
                    end = end + "incomplete";
                }
                return new Response(status, head.headers, body, end);
            }
        }
    }

    /** The status of a status line; Tomcat writes what an application sets, -1 and 0 too. */
    private static int status(String line) {
        Matcher number = Pattern.compile("HTTP/1\\.. (-?\\d+).*").matcher(line);
        return number.matches() ? Integer.parseInt(number.group(1)) : 0;
    }

    private static boolean dechunk(String body, StringBuilder joined) {
        int at = 0;
        while (true) {
            int line = body.indexOf("\r\n", at);
            if (line < 0) {
                return false;
            }
            int size =
                    Integer.parseInt(body.substring(at, line).split(";", 2)[0].strip(), 16);
            if (size == 0) {
                return true;
            }
            if (line + 2 + size > body.length()) {
                joined.append(body.substring(line + 2));
                return false;
            }
            joined.append(body, line + 2, line + 2 + size);
            at = line + 2 + size + 2;
        }
    }
}
