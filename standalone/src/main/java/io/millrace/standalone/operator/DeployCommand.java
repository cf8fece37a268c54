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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code millrace deploy}: uploads a WAR to the server of a base directory, or to the admin ports of several servers, one after the other. */
final class DeployCommand implements Command {

    private static final String TO = "--to";
    private static final String ROLLING = "--rolling";
    private static final String UPDATE = "--update";
    private static final String USER = "--user";
    private static final String CA = "--ca";
    private static final String DRAIN = "--drain";
    private static final String PATH = "--path";
    private static final String VERSION = "--version";

    private static final String PASSWORD = "MILLRACE_ADMIN_PASSWORD";

    /** How long a node may take to become ready. */
    private static final Duration READY_LIMIT = Duration.ofMinutes(2);

    private static final Syntax SYNTAX = new Syntax(
            "deploy",
            "Deploys a WAR on a running server, or on several.",
            new Operand("WAR", 1, 1, "The file, which is uploaded"),
            List.of(
                    ServerAccess.BASE,
                    ServerAccess.TIMEOUT,
                    Option.of(PATH, "PATH", "The context path. Default: the file's name"),
                    Option.of(VERSION, "V", "Runs beside other versions of the application"),
                    Option.flag(UPDATE, "Replace the application of this path and version"),
                    Option.of(
                            TO,
                            "HOST:PORT,...",
                            "Servers with an admin port, one after the other, instead of that of a base"
                                    + " directory; https://HOST:PORT with TLS"),
                    Option.flag(
                            ROLLING,
                            "Wait for each until it is ready, and stop at the first failure; each is drained"
                                    + " before"),
                    Option.of(DRAIN, "TIME", "How long each is not ready before, with " + ROLLING + ". Default: 5s"),
                    Option.of(CA, "FILE", "Authorities of the servers' certificates, PEM. Default: those of Java"),
                    Option.of(USER, "NAME", "Of the Realm; the password is in " + PASSWORD + ", or asked for"),
                    ServerAccess.VIRTUAL_HOST));

    private final PrintWriter out;
    private final PrintWriter err;

    DeployCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Syntax syntax() {
        return SYNTAX;
    }

    @Override
    public String example() {
        return "millrace deploy shop.war --path /shop --version 3";
    }

    @Override
    public int run(Arguments arguments) throws OperatorException, UsageException, InterruptedException {
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
        String target = ServerAccess.target(
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
                arguments.text(ServerAccess.VIRTUAL_HOST.name()));
        String nodes = arguments.text(TO);
        if (nodes == null) {
            if (arguments.flag(ROLLING)) {
                throw new UsageException(ROLLING + " needs " + TO);
            }
            if (arguments.text(CA) != null) {
                throw new UsageException(CA + " needs " + TO + " https://HOST:PORT");
            }
            return ServerAccess.print(
                    ServerAccess.client(arguments, ServerAccess.CHANGING).upload(target, war), out, err);
        }
        return deploy(war, target, nodes(arguments, nodes), arguments.flag(ROLLING));
    }

    private static @Nullable String drain(Arguments arguments) {
        String given = arguments.text(DRAIN);
        return given != null ? given : arguments.flag(ROLLING) ? "5s" : null;
    }

    private static List<AdminClient> nodes(Arguments arguments, String nodes) throws OperatorException, UsageException {
        if (arguments.text(CA) != null && !nodes.contains(AdminClient.HTTPS)) {
            throw new UsageException(CA + " needs " + TO + " https://HOST:PORT");
        }
        Duration limit = arguments.time(ServerAccess.TIMEOUT.name(), ServerAccess.CHANGING);
        String credentials = credentials(arguments.text(USER));
        List<AdminClient> clients = new ArrayList<>();
        for (String node : nodes.split(",", -1)) {
            clients.add(AdminClient.at(node.strip(), arguments.path(CA), credentials, limit));
        }
        return clients;
    }

    private int deploy(Path war, String target, List<AdminClient> clients, boolean rolling)
            throws OperatorException, InterruptedException {
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
                if (!answer.isDone()) {
                    failure = text;
                } else if (rolling) {
                    failure = notReady(client);
                }
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
                status = ServerAccess.FAILED;
                if (rolling) {
                    err.println("millrace: stopped at " + client.name() + "; "
                            + (done.isEmpty() ? "no server has it" : "it is on " + String.join(", ", done)));
                    return ServerAccess.FAILED;
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
        if ((user + password).chars().anyMatch(Character::isISOControl) || user.indexOf(':') >= 0) {
            throw new OperatorException(
                    "a name with a colon, or a control character in a name or a password, cannot be sent"
                            + " (RFC 7617)");
        }
        return user + ":" + password;
    }
}
