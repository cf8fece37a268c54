package io.millrace.standalone;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Somebody with a browser: curl with cookies, which follows redirects. */
final class Visitor {

    /** What was answered in the end, and at which URL. */
    record Page(int status, String url, String body) {

        /** The first group of the first match. */
        String find(String regex) {
            Matcher matcher = Pattern.compile(regex, Pattern.DOTALL).matcher(body);
            if (!matcher.find()) {
                throw new AssertionError("no " + regex + " in " + this);
            }
            return matcher.group(1).replace("&amp;", "&");
        }

        boolean says(String text) {
            return body.contains(text);
        }
    }

    private final Path cookies;
    private final String base;

    /**
     * @param base what the visitor's paths are relative to
     * @param cookies a file for them
     */
    Visitor(String base, Path cookies) {
        this.base = base;
        this.cookies = cookies;
    }

    /** Asks for a path, with curl's options for everything else: {@code -d name=value} posts. */
    Page visit(String path, String... options) throws Exception {
        List<String> words =
                new ArrayList<>(List.of("curl", "-sSL", "--max-time", "60", "-w", "\n%{http_code} %{url_effective}"));
        words.addAll(List.of("-b", cookies.toString(), "-c", cookies.toString()));
        words.addAll(List.of(options));
        words.add(path.startsWith("http:") ? path : base + path);
        Command command = Command.run("", words);
        String output = command.output();
        int end = output.lastIndexOf('\n');
        String[] result = output.substring(end + 1).split(" ", 2);
        if (command.status() != 0 || result.length < 2) {
            throw new AssertionError("curl ended with status " + command.status() + ": " + output);
        }
        return new Page(Integer.parseInt(result[0]), result[1], output.substring(0, end));
    }
}
