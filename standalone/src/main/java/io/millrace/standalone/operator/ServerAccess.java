package io.millrace.standalone.operator;

import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.UsageException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** What commands that ask a server have in common: options, the client, and how an answer is printed. */
final class ServerAccess {

    static final Option BASE =
            Option.of("--base", "DIR", "The base directory of the server. Default: the current directory");

    static final Option TIMEOUT = Option.of(
            "--timeout", "TIME", "How long to wait for an answer. Default: 30s, for what changes something 10m");

    static final Option JSON = Option.flag("--json", "Print JSON");
    static final Option VERSION = Option.of("--version", "V", "Of several versions of an application, this one");
    static final Option VIRTUAL_HOST = Option.of("--virtual-host", "NAME", "Default: the default host");

    /** The time-out of commands that only look. */
    static final Duration LOOKING = Duration.ofSeconds(30);

    /** That of others: applications start, and requests get time to end. */
    static final Duration CHANGING = Duration.ofMinutes(10);

    static final int FAILED = 1;

    private ServerAccess() {}

    /** Asks the server of the base directory. */
    static AdminClient client(Arguments arguments, Duration timeout) throws UsageException {
        Path base = arguments.path(BASE.name());
        return AdminClient.of(base == null ? Path.of("") : base, arguments.time(TIMEOUT.name(), timeout));
    }

    /** A target with those parameters that are given. */
    static String target(String path, @Nullable String... pairs) {
        StringJoiner query = new StringJoiner("&", path + "?", "").setEmptyValue(path);
        for (int i = 0; i < pairs.length; i += 2) {
            String value = pairs[i + 1];
            if (value != null) {
                query.add(pairs[i] + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
            }
        }
        return query.toString();
    }

    /** Prints what was answered; returns the exit status. */
    static int print(AdminClient.Answer answer, PrintWriter out, PrintWriter err) {
        if (answer.isDone()) {
            out.print(answer.text());
            out.flush();
            return 0;
        }
        err.print("millrace: " + answer.text());
        err.flush();
        return FAILED;
    }
}
