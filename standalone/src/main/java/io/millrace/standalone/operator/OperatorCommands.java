package io.millrace.standalone.operator;

import static io.millrace.standalone.operator.ServerAccess.BASE;
import static io.millrace.standalone.operator.ServerAccess.CHANGING;
import static io.millrace.standalone.operator.ServerAccess.FAILED;
import static io.millrace.standalone.operator.ServerAccess.JSON;
import static io.millrace.standalone.operator.ServerAccess.LOOKING;
import static io.millrace.standalone.operator.ServerAccess.TIMEOUT;
import static io.millrace.standalone.operator.ServerAccess.VERSION;
import static io.millrace.standalone.operator.ServerAccess.VIRTUAL_HOST;
import static io.millrace.standalone.operator.ServerAccess.client;
import static io.millrace.standalone.operator.ServerAccess.target;

import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.cli.UsageException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The commands that ask a running server: what it answers is printed, why it refused is an error. */
public final class OperatorCommands {

    /** How long each server may take to say its figures. */
    private static final Duration FIGURES = Duration.ofSeconds(5);

    private static final String CONFIG = "--config";
    private static final String GRACE = "--grace";
    private static final String LIVE = "--live";
    private static final String FOR = "--for";

    private static final Operand APPLICATION = new Operand("PATH", 1, 1, "The context path, such as /shop");

    private final PrintWriter out;
    private final PrintWriter err;

    private OperatorCommands(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    private interface Action {
        int run(Arguments arguments) throws Exception;
    }

    /** A command, with an example for its help. */
    private record One(Syntax syntax, String example, Action action) implements Command {

        @Override
        public int run(Arguments arguments) throws Exception {
            return action.run(arguments);
        }
    }

    /** All of them, in the order of the help. */
    public static List<Command> all(PrintWriter out, PrintWriter err) {
        OperatorCommands commands = new OperatorCommands(out, err);
        List<Command> all = new ArrayList<>(commands.list());
        all.add(commands.completion(all));
        return all;
    }

    private static Command of(
            String name, String description, Operand operand, List<Option> options, String example, Action action) {
        return new One(new Syntax(name, description, operand, options), example, action);
    }

    private List<Command> list() {
        return List.of(
                of("ps", "Lists the servers of this machine.", Operand.NONE, List.of(JSON), "millrace ps", this::ps),
                of(
                        "list",
                        "Lists the applications of a running server.",
                        Operand.NONE,
                        List.of(BASE, TIMEOUT, JSON, VIRTUAL_HOST),
                        "millrace list --base /srv/shop",
                        looks("list")),
                new DeployCommand(out, err),
                of(
                        "undeploy",
                        "Stops an application and deletes its files.",
                        APPLICATION,
                        List.of(
                                BASE,
                                TIMEOUT,
                                VERSION,
                                Option.of(GRACE, "TIME", "For running requests. Default: as the server's"),
                                VIRTUAL_HOST),
                        "millrace undeploy /shop --version 2",
                        changes("undeploy")),
                of(
                        "reload",
                        "Stops and starts an application; or reads the configuration again.",
                        new Operand("PATH", 0, 1, "The context path of the application, such as /shop"),
                        List.of(
                                BASE,
                                TIMEOUT,
                                VERSION,
                                VIRTUAL_HOST,
                                Option.flag(
                                        CONFIG,
                                        "Instead of an application: certificates, users and conf/logging.properties")),
                        "millrace reload /shop",
                        this::reload),
                of(
                        "pause",
                        "Stops an application until it is resumed.",
                        APPLICATION,
                        List.of(BASE, TIMEOUT, VERSION, VIRTUAL_HOST),
                        "millrace pause /shop",
                        changes("pause")),
                of(
                        "resume",
                        "Starts an application that was paused.",
                        APPLICATION,
                        List.of(BASE, TIMEOUT, VERSION, VIRTUAL_HOST),
                        "millrace resume /shop",
                        changes("resume")),
                of(
                        "stop",
                        "Stops a running server and waits for its end.",
                        Operand.NONE,
                        List.of(BASE, TIMEOUT, Option.of(GRACE, "TIME", "The longest time for running requests")),
                        "millrace stop --grace 30s",
                        this::stop),
                of(
                        "sessions",
                        "Counts the sessions of an application by how long they have not been used.",
                        APPLICATION,
                        List.of(BASE, TIMEOUT, JSON, VERSION, VIRTUAL_HOST),
                        "millrace sessions /shop",
                        looks("sessions")),
                of(
                        "connections",
                        "Lists the open connections of a running server.",
                        Operand.NONE,
                        List.of(
                                BASE,
                                TIMEOUT,
                                JSON,
                                Option.of("--state", "STATE", "Only active, idle, reading or upgraded ones"),
                                Option.of(
                                        "--over", "TIME", "Only those whose request takes longer, or that are older")),
                        "millrace connections --state active --over 10s",
                        this::connections),
                of(
                        "threads",
                        "Shows what the threads do that run requests.",
                        Operand.NONE,
                        List.of(
                                BASE,
                                TIMEOUT,
                                JSON,
                                Option.of("--stuck", "TIME", "Only those whose request takes longer")),
                        "millrace threads --stuck 5s",
                        this::threads),
                of(
                        "metrics",
                        "Prints the metrics of a running server, as Prometheus reads them.",
                        Operand.NONE,
                        List.of(BASE, TIMEOUT, JSON),
                        "millrace metrics --base /srv/shop",
                        this::metrics),
                new LeaksCommand(out, err),
                of(
                        "tls",
                        "tls reload: reads the certificates of a running server again.",
                        new Operand("reload", 1, 1, "The only thing it does"),
                        List.of(BASE, TIMEOUT),
                        "millrace tls reload",
                        this::tls),
                of(
                        "log",
                        "Sets the level of a logger of a running server.",
                        new Operand(
                                "NAME=LEVEL", 1, 1, "Such as io.millrace.tls=debug; error, warn, info, debug, trace"),
                        List.of(BASE, TIMEOUT, Option.of(FOR, "TIME", "Afterwards it is what it was before")),
                        "millrace log io.millrace.tls=debug --for 10m",
                        this::log),
                of(
                        "jfr",
                        "jfr start: records a running server with Java's flight recorder.",
                        new Operand("start", 1, 1, "The only thing it does"),
                        List.of(BASE, TIMEOUT, Option.of(FOR, "TIME", "Default: 60s")),
                        "millrace jfr start --for 60s",
                        this::jfr),
                of(
                        "health",
                        "Whether a running server is ready: exit status 0 if so, 1 if not.",
                        Operand.NONE,
                        List.of(
                                BASE,
                                TIMEOUT,
                                Option.flag(LIVE, "Whether it answers at all, even if it is starting or draining")),
                        "millrace health",
                        this::health));
    }

    // ---- asking

    private static @Nullable String json(Arguments arguments) {
        return arguments.flag(JSON.name()) ? "true" : null;
    }

    /** Null if the command has no such option, or it is absent. */
    private static @Nullable String first(List<String> operands) {
        return operands.isEmpty() ? null : operands.get(0);
    }

    private int print(AdminClient.Answer answer) {
        return ServerAccess.print(answer, out, err);
    }

    private Action looks(String command) {
        return arguments -> print(client(arguments, LOOKING)
                .ask(
                        "GET",
                        target(
                                "/manager/" + command,
                                "json",
                                json(arguments),
                                "path",
                                first(arguments.operands()),
                                "version",
                                arguments.text(VERSION.name()),
                                "host",
                                arguments.text(VIRTUAL_HOST.name()))));
    }

    private Action changes(String command) {
        return arguments -> print(client(arguments, CHANGING)
                .ask(
                        "POST",
                        target(
                                "/manager/" + command,
                                "path",
                                first(arguments.operands()),
                                "version",
                                arguments.text(VERSION.name()),
                                "grace",
                                arguments.text(GRACE),
                                "host",
                                arguments.text(VIRTUAL_HOST.name()))));
    }

    private int connections(Arguments arguments) throws OperatorException, UsageException {
        return print(client(arguments, LOOKING)
                .ask(
                        "GET",
                        target(
                                "/connections",
                                "json",
                                json(arguments),
                                "state",
                                arguments.text("--state"),
                                "over",
                                arguments.text("--over"))));
    }

    private int threads(Arguments arguments) throws OperatorException, UsageException {
        return print(client(arguments, LOOKING)
                .ask("GET", target("/threads", "json", json(arguments), "stuck", arguments.text("--stuck"))));
    }

    private int metrics(Arguments arguments) throws OperatorException, UsageException {
        AdminClient.Answer answer = client(arguments, LOOKING).ask("GET", "/metrics");
        return print(
                answer.isDone() && arguments.flag(JSON.name())
                        ? new AdminClient.Answer(answer.status(), MetricsJson.of(answer.text()))
                        : answer);
    }

    private static void requireWord(Arguments arguments, String word) throws UsageException {
        if (!arguments.operands().get(0).equals(word)) {
            throw new UsageException("unknown word " + arguments.operands().get(0) + "; expected " + word);
        }
    }

    private int reload(Arguments arguments) throws Exception {
        boolean ofConfiguration = arguments.flag(CONFIG);
        if (ofConfiguration != arguments.operands().isEmpty()) {
            throw new UsageException("expected the context path of an application, or " + CONFIG);
        }
        return ofConfiguration
                ? print(client(arguments, CHANGING).ask("POST", "/manager/config"))
                : changes("reload").run(arguments);
    }

    private int tls(Arguments arguments) throws OperatorException, UsageException {
        requireWord(arguments, "reload");
        return print(client(arguments, CHANGING).ask("POST", "/manager/tls"));
    }

    private int log(Arguments arguments) throws OperatorException, UsageException {
        String pair = arguments.operands().get(0);
        int equals = pair.indexOf('=');
        if (equals < 1) {
            throw new UsageException("\"" + pair + "\": expected NAME=LEVEL, such as io.millrace.tls=debug");
        }
        return print(client(arguments, CHANGING)
                .ask(
                        "POST",
                        target(
                                "/manager/log",
                                "name",
                                pair.substring(0, equals),
                                "level",
                                pair.substring(equals + 1),
                                "for",
                                arguments.text(FOR))));
    }

    private int jfr(Arguments arguments) throws OperatorException, UsageException {
        requireWord(arguments, "start");
        return print(client(arguments, CHANGING).ask("POST", target("/manager/jfr", "for", arguments.text(FOR))));
    }

    private int health(Arguments arguments) throws OperatorException, UsageException {
        AdminClient.Answer answer =
                client(arguments, LOOKING).ask("GET", arguments.flag(LIVE) ? "/health/live" : "/health/ready");
        out.print(answer.text());
        out.flush();
        return answer.isDone() ? 0 : FAILED;
    }

    private int stop(Arguments arguments) throws OperatorException, UsageException, InterruptedException {
        AdminClient.Answer answer =
                client(arguments, CHANGING).ask("POST", target("/manager/stop", "grace", arguments.text(GRACE)));
        String text = answer.text().strip();
        if (answer.isDone()) {
            long pid = Long.parseLong(text.substring(text.lastIndexOf(' ') + 1));
            ProcessHandle server = ProcessHandle.of(pid).orElse(null);
            if (server != null && pid != ProcessHandle.current().pid()) {
                out.println(text + " ...");
                out.flush();
                awaitEnd(server);
            }
            out.println("stopped");
            out.flush();
            return 0;
        }
        return print(answer);
    }

    private static void awaitEnd(ProcessHandle server) throws InterruptedException {
        while (server.isAlive()) {
            try {
                server.onExit().get(1, TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException again) {
                // not a child: some systems notice late
            }
        }
    }

    // ---- servers

    private int ps(Arguments arguments) {
        boolean json = arguments.flag(JSON.name());
        List<String[]> rows = new ArrayList<>();
        StringJoiner objects = new StringJoiner(",\n", "[", "]\n");
        rows.add(new String[] {"PID", "UP", "BASE", "PORTS", "REQ/S", "BUSY", "SESSIONS", "HEAP"});
        for (RunningServers.Found server : RunningServers.all()) {
            String figures = figures(server, json);
            boolean own = figures != null
                    && figures.contains(json ? "\"pid\":" + server.pid() + "," : "\n" + server.pid() + " ");
            if (json) {
                objects.add(
                        figures != null && own
                                ? figures.strip().replaceAll("^\\[|]$", "")
                                : "{\"pid\":" + server.pid() + "}");
                continue;
            }
            String[] cells = figures == null || !own
                    ? null
                    : figures.lines().skip(1).findFirst().orElse("").split(" {2,}");
            rows.add(
                    cells != null && cells.length == 8
                            ? cells
                            : new String[] {
                                String.valueOf(server.pid()),
                                "-",
                                server.base() == null
                                        ? "(" + server.command() + ")"
                                        : server.base().toString(),
                                "-",
                                "-",
                                "-",
                                "-",
                                "-"
                            });
        }
        out.print(json ? objects.toString() : table(rows));
        out.flush();
        return 0;
    }

    /** What a server says of itself; null if it cannot be asked. */
    private static @Nullable String figures(RunningServers.Found server, boolean json) {
        Path base = server.base();
        if (base == null) {
            return null;
        }
        try {
            AdminClient.Answer answer =
                    AdminClient.of(base, FIGURES).ask("GET", json ? "/manager/status?json=true" : "/manager/status");
            return answer.isDone() ? answer.text() : null;
        } catch (OperatorException notOurs) {
            return null;
        }
    }

    private static String table(List<String[]> rows) {
        int[] widths = new int[rows.get(0).length];
        rows.forEach(row -> Arrays.setAll(widths, i -> Math.max(widths[i], row[i].length())));
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(i == 0 ? "" : "  ").append(row[i]).append(" ".repeat(widths[i] - row[i].length()));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    // ---- completion

    private Command completion(List<Command> others) {
        return of(
                "completion",
                "Prints a script by which bash or zsh completes commands and options.",
                new Operand("SHELL", 1, 1, "bash or zsh"),
                List.of(),
                "source <(millrace completion bash)",
                arguments -> {
                    String shell = arguments.operands().get(0);
                    if (!shell.equals("bash") && !shell.equals("zsh")) {
                        throw new UsageException("there is no completion for " + shell + "; expected bash or zsh");
                    }
                    out.print(ShellCompletion.script(shell, others));
                    out.flush();
                    return 0;
                });
    }
}
