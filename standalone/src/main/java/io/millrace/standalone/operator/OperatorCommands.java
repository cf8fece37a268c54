package io.millrace.standalone.operator;

import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.cli.UsageException;
import io.millrace.standalone.config.ContextName;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The commands that ask a running server: what it answers is printed, why it refused is an error. */
public final class OperatorCommands {

    private static final int FAILED = 1;

    private static final String BASE = "--base";
    private static final String JSON = "--json";
    private static final String VERSION = "--version";
    private static final String CONFIG = "--config";
    private static final String GRACE = "--grace";
    private static final String VIRTUAL_HOST = "--virtual-host";
    private static final String TO = "--to";
    private static final String ROLLING = "--rolling";
    private static final String UPDATE = "--update";
    private static final String USER = "--user";
    private static final String DRAIN = "--drain";
    private static final String PATH = "--path";
    private static final String LIVE = "--live";
    private static final String FOR = "--for";

    private static final String PASSWORD = "MILLRACE_ADMIN_PASSWORD";

    /** How long a node may take to become ready. */
    private static final Duration READY_LIMIT = Duration.ofMinutes(2);

    private static final Option OF_BASE =
            Option.of(BASE, "DIR", "The base directory of the server. Default: the current directory");
    private static final Option OF_JSON = Option.flag(JSON, "Print JSON");
    private static final Option OF_VERSION = Option.of(VERSION, "V", "Of several versions of an application, this one");
    private static final Option OF_HOST = Option.of(VIRTUAL_HOST, "NAME", "Default: the default host");

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
                of("ps", "Lists the servers of this machine.", Operand.NONE, List.of(OF_JSON), "millrace ps", this::ps),
                of(
                        "list",
                        "Lists the applications of a running server.",
                        Operand.NONE,
                        List.of(OF_BASE, OF_JSON, OF_HOST),
                        "millrace list --base /srv/shop",
                        looks("list")),
                of(
                        "deploy",
                        "Deploys a WAR on a running server, or on several.",
                        new Operand("WAR", 1, 1, "The file, which is uploaded"),
                        List.of(
                                OF_BASE,
                                Option.of(PATH, "PATH", "The context path. Default: the file's name"),
                                Option.of(VERSION, "V", "Runs beside other versions of the application"),
                                Option.flag(UPDATE, "Replace the application of this path and version"),
                                Option.of(
                                        TO,
                                        "HOST:PORT,...",
                                        "Servers with an admin port, one after the other, instead of that of a base"
                                                + " directory"),
                                Option.flag(
                                        ROLLING,
                                        "Wait for each until it is ready, and stop at the first failure; each is drained"
                                                + " before"),
                                Option.of(
                                        DRAIN,
                                        "TIME",
                                        "How long each is not ready before, with " + ROLLING + ". Default: 5s"),
                                Option.of(
                                        USER,
                                        "NAME",
                                        "Of the Realm; the password is in " + PASSWORD + ", or asked for"),
                                OF_HOST),
                        "millrace deploy shop.war --path /shop --version 3",
                        this::deploy),
                of(
                        "undeploy",
                        "Stops an application and deletes its files.",
                        APPLICATION,
                        List.of(
                                OF_BASE,
                                OF_VERSION,
                                Option.of(GRACE, "TIME", "For running requests. Default: as the server's"),
                                OF_HOST),
                        "millrace undeploy /shop --version 2",
                        changes("undeploy")),
                of(
                        "reload",
                        "Stops and starts an application; or reads the configuration again.",
                        new Operand("PATH", 0, 1, "The context path of the application, such as /shop"),
                        List.of(
                                OF_BASE,
                                OF_VERSION,
                                OF_HOST,
                                Option.flag(
                                        CONFIG,
                                        "Instead of an application: certificates, users and conf/logging.properties")),
                        "millrace reload /shop",
                        this::reload),
                of(
                        "pause",
                        "Stops an application until it is resumed.",
                        APPLICATION,
                        List.of(OF_BASE, OF_VERSION, OF_HOST),
                        "millrace pause /shop",
                        changes("pause")),
                of(
                        "resume",
                        "Starts an application that was paused.",
                        APPLICATION,
                        List.of(OF_BASE, OF_VERSION, OF_HOST),
                        "millrace resume /shop",
                        changes("resume")),
                of(
                        "stop",
                        "Stops a running server and waits for its end.",
                        Operand.NONE,
                        List.of(OF_BASE, Option.of(GRACE, "TIME", "The longest time for running requests")),
                        "millrace stop --grace 30s",
                        this::stop),
                of(
                        "sessions",
                        "Counts the sessions of an application by how long they have not been used.",
                        APPLICATION,
                        List.of(OF_BASE, OF_JSON, OF_VERSION, OF_HOST),
                        "millrace sessions /shop",
                        looks("sessions")),
                of(
                        "connections",
                        "Lists the open connections of a running server.",
                        Operand.NONE,
                        List.of(
                                OF_BASE,
                                OF_JSON,
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
                                OF_BASE,
                                OF_JSON,
                                Option.of("--stuck", "TIME", "Only those whose request takes longer")),
                        "millrace threads --stuck 5s",
                        this::threads),
                of(
                        "metrics",
                        "Prints the metrics of a running server, as Prometheus reads them.",
                        Operand.NONE,
                        List.of(OF_BASE, OF_JSON),
                        "millrace metrics --base /srv/shop",
                        this::metrics),
                of(
                        "leaks",
                        "Lists stopped applications whose classes are still in memory; collects garbage.",
                        new Operand("PATH", 0, 1, "Only of this application"),
                        List.of(OF_BASE, OF_JSON, OF_HOST),
                        "millrace leaks",
                        looks("leaks")),
                of(
                        "tls",
                        "tls reload: reads the certificates of a running server again.",
                        new Operand("reload", 1, 1, "The only thing it does"),
                        List.of(OF_BASE),
                        "millrace tls reload",
                        this::tls),
                of(
                        "log",
                        "Sets the level of a logger of a running server.",
                        new Operand(
                                "NAME=LEVEL", 1, 1, "Such as io.millrace.tls=debug; error, warn, info, debug, trace"),
                        List.of(OF_BASE, Option.of(FOR, "TIME", "Afterwards it is what it was before")),
                        "millrace log io.millrace.tls=debug --for 10m",
                        this::log),
                of(
                        "jfr",
                        "jfr start: records a running server with Java's flight recorder.",
                        new Operand("start", 1, 1, "The only thing it does"),
                        List.of(OF_BASE, Option.of(FOR, "TIME", "Default: 60s")),
                        "millrace jfr start --for 60s",
                        this::jfr),
                of(
                        "health",
                        "Whether a running server is ready: exit status 0 if so, 1 if not.",
                        Operand.NONE,
                        List.of(
                                OF_BASE,
                                Option.flag(LIVE, "Whether it answers at all, even if it is starting or draining")),
                        "millrace health",
                        this::health));
    }

    // ---- asking

    private static AdminClient client(Arguments arguments) {
        Path base = arguments.path(BASE);
        return AdminClient.of(base == null ? Path.of("") : base);
    }

    /** A target with those parameters that are given. */
    private static String target(String path, @Nullable String... pairs) {
        StringJoiner query = new StringJoiner("&", path + "?", "").setEmptyValue(path);
        for (int i = 0; i < pairs.length; i += 2) {
            String value = pairs[i + 1];
            if (value != null) {
                query.add(pairs[i] + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
            }
        }
        return query.toString();
    }

    private static @Nullable String json(Arguments arguments) {
        return arguments.flag(JSON) ? "true" : null;
    }

    /** Null if the command has no such option, or it is absent. */
    private static @Nullable String first(List<String> operands) {
        return operands.isEmpty() ? null : operands.get(0);
    }

    private int print(AdminClient.Answer answer) {
        if (answer.isDone()) {
            out.print(answer.text());
            out.flush();
            return 0;
        }
        err.print("millrace: " + answer.text());
        err.flush();
        return FAILED;
    }

    private Action looks(String command) {
        return arguments -> print(client(arguments)
                .ask(
                        "GET",
                        target(
                                "/manager/" + command,
                                "json",
                                json(arguments),
                                "path",
                                first(arguments.operands()),
                                "version",
                                arguments.text(VERSION),
                                "host",
                                arguments.text(VIRTUAL_HOST))));
    }

    private Action changes(String command) {
        return arguments -> print(client(arguments)
                .ask(
                        "POST",
                        target(
                                "/manager/" + command,
                                "path",
                                first(arguments.operands()),
                                "version",
                                arguments.text(VERSION),
                                "grace",
                                arguments.text(GRACE),
                                "host",
                                arguments.text(VIRTUAL_HOST))));
    }

    private int connections(Arguments arguments) throws OperatorException {
        return print(client(arguments)
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

    private int threads(Arguments arguments) throws OperatorException {
        return print(client(arguments)
                .ask("GET", target("/threads", "json", json(arguments), "stuck", arguments.text("--stuck"))));
    }

    private int metrics(Arguments arguments) throws OperatorException {
        AdminClient.Answer answer = client(arguments).ask("GET", "/metrics");
        return print(
                answer.isDone() && arguments.flag(JSON)
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
                ? print(client(arguments).ask("POST", "/manager/config"))
                : changes("reload").run(arguments);
    }

    private int tls(Arguments arguments) throws OperatorException, UsageException {
        requireWord(arguments, "reload");
        return print(client(arguments).ask("POST", "/manager/tls"));
    }

    private int log(Arguments arguments) throws OperatorException, UsageException {
        String pair = arguments.operands().get(0);
        int equals = pair.indexOf('=');
        if (equals < 1) {
            throw new UsageException("\"" + pair + "\": expected NAME=LEVEL, such as io.millrace.tls=debug");
        }
        return print(client(arguments)
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
        return print(client(arguments).ask("POST", target("/manager/jfr", "for", arguments.text(FOR))));
    }

    private int health(Arguments arguments) throws OperatorException {
        AdminClient.Answer answer =
                client(arguments).ask("GET", arguments.flag(LIVE) ? "/health/live" : "/health/ready");
        out.print(answer.text());
        out.flush();
        return answer.isDone() ? 0 : FAILED;
    }

    private int stop(Arguments arguments) throws OperatorException, InterruptedException {
        AdminClient.Answer answer =
                client(arguments).ask("POST", target("/manager/stop", "grace", arguments.text(GRACE)));
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

    // ---- deploying

    private int deploy(Arguments arguments) throws OperatorException, UsageException, InterruptedException {
        Path war = Path.of(arguments.operands().get(0));
        if (!Files.isRegularFile(war)) {
            throw new OperatorException(
                    war + (Files.isDirectory(war) ? ": is a directory; pack it" : ": there is no such file"));
        }
        String file = war.toAbsolutePath().getFileName().toString();
        ContextName byFile = ContextName.ofFile(
                file.toLowerCase(Locale.ROOT).endsWith(".war") ? file.substring(0, file.length() - 4) : file);
        String path = arguments.text(PATH);
        String version = arguments.text(VERSION);
        String target = target(
                "/manager/deploy",
                "path",
                path != null ? path : byFile.path().isEmpty() ? "/" : byFile.path(),
                "version",
                version != null || path != null ? version : byFile.version(),
                "update",
                arguments.flag(UPDATE) || arguments.flag(ROLLING) ? "true" : null,
                "drain",
                drain(arguments),
                "host",
                arguments.text(VIRTUAL_HOST));
        String nodes = arguments.text(TO);
        if (nodes == null) {
            if (arguments.flag(ROLLING)) {
                throw new UsageException(ROLLING + " needs " + TO);
            }
            return print(client(arguments).upload(target, war));
        }
        return deploy(war, target, nodes, arguments.flag(ROLLING), credentials(arguments.text(USER)));
    }

    private static @Nullable String drain(Arguments arguments) {
        String given = arguments.text(DRAIN);
        return given != null ? given : arguments.flag(ROLLING) ? "5s" : null;
    }

    private int deploy(Path war, String target, String nodes, boolean rolling, @Nullable String credentials)
            throws OperatorException, InterruptedException {
        List<AdminClient> clients = new ArrayList<>();
        for (String node : nodes.split(",", -1)) {
            clients.add(AdminClient.at(node.strip(), credentials));
        }
        int width = clients.stream()
                .mapToInt(client -> client.name().length())
                .max()
                .orElse(0);
        List<String> done = new ArrayList<>();
        int status = 0;
        for (AdminClient client : clients) {
            String failure = null;
            String text;
            try {
                AdminClient.Answer answer = client.upload(target, war);
                text = answer.text().strip();
                failure = answer.isDone() ? rolling ? notReady(client) : null : text;
            } catch (OperatorException e) {
                text = "";
                failure = String.valueOf(e.getMessage());
            }
            out.println(client.name() + " ".repeat(width - client.name().length()) + "  "
                    + (failure == null ? text : failure));
            out.flush();
            if (failure == null) {
                done.add(client.name());
            } else {
                status = FAILED;
                if (rolling) {
                    err.println("millrace: stopped at " + client.name() + "; "
                            + (done.isEmpty() ? "no server has it" : "it is on " + String.join(", ", done)));
                    return FAILED;
                }
            }
        }
        return status;
    }

    /** Waits until a server is ready; returns why it is not. */
    private static @Nullable String notReady(AdminClient client) throws OperatorException, InterruptedException {
        long end = System.nanoTime() + READY_LIMIT.toNanos();
        while (true) {
            AdminClient.Answer answer = client.ask("GET", "/health/ready");
            if (answer.isDone()) {
                return null;
            }
            if (System.nanoTime() - end > 0) {
                return "deployed, but the server is not ready: " + answer.text().strip();
            }
            Thread.sleep(200);
        }
    }

    @SuppressWarnings("SystemConsoleNull") // null up to Java 21; later, readPassword reads what is piped in
    private static @Nullable String credentials(@Nullable String user) throws OperatorException {
        if (user == null) {
            return null;
        }
        String password = System.getenv(PASSWORD);
        if (password == null && System.console() != null) {
            char[] typed = System.console().readPassword("Password of %s: ", user);
            password = typed == null ? null : new String(typed);
        }
        if (password == null) {
            throw new OperatorException("no password: set " + PASSWORD);
        }
        return user + ":" + password;
    }

    // ---- servers

    private int ps(Arguments arguments) {
        boolean json = arguments.flag(JSON);
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
                    AdminClient.of(base).ask("GET", json ? "/manager/status?json=true" : "/manager/status");
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
