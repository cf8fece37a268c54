package io.millrace.standalone.admin;

import io.millrace.standalone.admin.Administration.Idle;
import io.millrace.standalone.admin.Administration.Listed;
import io.millrace.standalone.admin.Administration.Refusal;
import io.millrace.standalone.admin.Administration.Source;
import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.log.StandaloneLog;
import io.millrace.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The commands of the text interface of Tomcat's manager, for whichever door they come through. The first line of an answer begins with
 * {@code OK - } or {@code FAIL - }.
 */
public final class TextCommands {

    /** The most lines of a distribution of idle times. */
    private static final int MAX_INTERVALS = 60;

    /** Who asks for a command, and with which parameters. */
    public interface Caller {

        /** Null if it is absent. */
        @Nullable
        String parameter(String name);

        /** What was uploaded. */
        InputStream body() throws IOException;

        /** The context path of the application that asks, which cannot stop itself; null if none does. */
        @Nullable
        String own();

        /** For the log. */
        String user();

        /** For the log. */
        String address();
    }

    private interface Command {
        String run(Call call) throws Refusal, IOException;
    }

    private static final Map<String, Command> COMMANDS = Map.ofEntries(
            Map.entry("/list", Call::list),
            Map.entry("/deploy", Call::deployFiles),
            Map.entry("/undeploy", Call::undeploy),
            Map.entry("/reload", Call::reload),
            Map.entry("/start", Call::start),
            Map.entry("/stop", Call::stop),
            Map.entry("/sessions", call -> call.sessions(-1)),
            Map.entry("/expire", Call::expire),
            Map.entry("/serverinfo", call -> call.server().info()),
            Map.entry("/vminfo", call -> ServerText.vmInfo()),
            Map.entry("/threaddump", call -> ServerText.threadDump()),
            Map.entry("/resources", Call::resources),
            Map.entry("/findleaks", Call::leaks),
            Map.entry("/sslReload", call -> call.server().reloadTls(call.text("tlsHostName"))),
            Map.entry("/sslConnectorCiphers", call -> call.server().ciphers()),
            Map.entry("/sslConnectorCerts", call -> call.server().chains()),
            Map.entry("/sslConnectorTrustedCerts", call -> call.server().authorities()));

    /** Those that change something. */
    private static final Set<String> CHANGING =
            Set.of("/deploy", "/undeploy", "/reload", "/start", "/stop", "/expire", "/sslReload");

    private final Administration host;

    /** @param host whose applications it administers */
    public TextCommands(Administration host) {
        this.host = host;
    }

    /** Whether a command changes something. */
    static boolean changes(@Nullable String command) {
        return command != null && CHANGING.contains(command);
    }

    /** Runs a command without an upload: {@code /list}; null if none is named. */
    public String run(@Nullable String command, Caller caller) {
        Command known = command == null ? null : COMMANDS.get(command);
        return logged(
                command,
                caller,
                command == null
                        ? "FAIL - No command was specified\n"
                        : known == null
                                ? "FAIL - Unknown command [" + command + "]\n"
                                : new Call(caller, host).result(known));
    }

    /** Runs a command with an upload, of which there is one: {@code /deploy}. */
    public String upload(@Nullable String command, Caller caller) {
        return logged(
                command,
                caller,
                command == null
                        ? "FAIL - No command was specified\n"
                        : command.equals("/deploy")
                                ? new Call(caller, host).result(Call::deployUpload)
                                : "FAIL - Unknown command [" + command + "]\n");
    }

    private static String logged(@Nullable String command, Caller caller, String answer) {
        if (!"/list".equals(command)) {
            log(String.valueOf(command), caller.parameter("path"), caller, answer);
        }
        return answer;
    }

    /** Logs what was asked for. Nothing of it can look like a line of its own. */
    static void log(String command, @Nullable String path, Caller caller, String answer) {
        StandaloneLog.ADMIN.commandDone(
                Printable.of(command),
                Printable.of(path == null ? "-" : path),
                Printable.of(caller.user()),
                Printable.of(caller.address()),
                Printable.of(answer.lines().findFirst().orElse("")));
    }

    /** One command and its parameters. */
    private static final class Call {

        private final Caller caller;
        private final Administration host;

        Call(Caller caller, Administration host) {
            this.caller = caller;
            this.host = host;
        }

        ServerText server() {
            return new ServerText(host.server());
        }

        String result(Command command) {
            try {
                return command.run(this);
            } catch (Refusal refusal) {
                return switch (refusal.reason()) {
                    case EXISTS -> "FAIL - Application already exists at path [" + display() + "]\n";
                    case NO_CONTEXT -> "FAIL - No context exists named [" + display() + "]\n";
                    case IN_SERVER_XML ->
                        "FAIL - Context [" + display() + "] is defined in server.xml and may not be undeployed\n";
                    case ITSELF -> "FAIL - The manager cannot reload, undeploy, stop, or undeploy itself\n";
                    case INVALID_NAME -> "FAIL - Invalid context path [" + refusal.getMessage() + "] was specified\n";
                    case OTHER -> encountered(refusal);
                };
            } catch (IOException | RuntimeException e) {
                return encountered(e);
            }
        }

        private static String encountered(Exception e) {
            return "FAIL - Encountered exception ["
                    + String.valueOf(e.getMessage()).replace('\n', ' ') + "]\n";
        }

        /** The application; null if the parameters do not name one. */
        private @Nullable ContextName name() {
            String path = caller.parameter("path");
            if (path == null) {
                String file = caller.parameter("config");
                String named = file == null ? caller.parameter("war") : file;
                return named == null ? null : ofFile(named);
            }
            return ContextName.written(path, caller.parameter("version"));
        }

        /** By the rules for files in appBase: {@code file:/tmp/shop##2.war} is version 2 of /shop. */
        private static @Nullable ContextName ofFile(String file) {
            String plain = file.endsWith("!/") ? file.substring(0, file.length() - 2) : file;
            while (plain.endsWith("/")) {
                plain = plain.substring(0, plain.length() - 1);
            }
            String without = plain.toLowerCase(Locale.ROOT).endsWith(".xml")
                    ? plain.substring(0, plain.length() - ".xml".length())
                    : plain;
            ContextName name = ContextName.ofFile(without);
            return name.canBeFile() ? name : null;
        }

        private ContextName required() throws Refusal {
            ContextName name = name();
            if (name == null) {
                throw new Refusal(Refusal.Reason.INVALID_NAME, String.valueOf(caller.parameter("path")));
            }
            return name;
        }

        /** @throws Refusal also for the manager itself */
        private ContextName other() throws Refusal {
            ContextName name = required();
            if (name.path().equals(caller.own())) {
                throw new Refusal(Refusal.Reason.ITSELF);
            }
            return name;
        }

        private String display() {
            ContextName name = name();
            return name == null ? "null" : name.marked();
        }

        private boolean says(String parameter) {
            return "true".equals(caller.parameter(parameter));
        }

        private @Nullable String text(String parameter) {
            String value = caller.parameter(parameter);
            return value == null || value.isEmpty() ? null : value;
        }

        String list() {
            StringBuilder text = new StringBuilder("OK - Listed applications for virtual host [" + host.host() + "]\n");
            for (Listed each : host.list()) {
                String path = each.name().path();
                text.append(path.isEmpty() ? "/" : path)
                        .append(each.running() ? ":running:" : ":stopped:")
                        .append(each.sessions())
                        .append(':')
                        .append(each.docBase())
                        .append('\n');
            }
            return text.toString();
        }

        /** Of files on the server, below its base directory. */
        String deployFiles() throws Refusal, IOException {
            String war = text("war");
            String config = text("config");
            String tag = text("tag");
            if (war == null && config == null && tag == null) {
                return "FAIL - Invalid parameters supplied for command [/deploy]\n";
            }
            ContextName name = other();
            if (war == null && config == null) {
                return deployed(name, new Source(tagged(String.valueOf(tag), name), false, null), true);
            }
            return deployed(
                    name,
                    new Source(war == null ? null : file(war), false, config == null ? null : file(config)),
                    says("update"));
        }

        /** Of the request's body. */
        String deployUpload() throws Refusal, IOException {
            ContextName name = other();
            boolean update = says("update");
            if (!update && host.list().stream().anyMatch(each -> each.name().equals(name))) {
                throw new Refusal(Refusal.Reason.EXISTS); // before the upload
            }
            String tag = text("tag");
            String config = text("config");
            Path part = host.upload();
            try (InputStream body = caller.body()) {
                Files.copy(body, part);
                if (tag != null) {
                    Path kept = tagged(tag, name);
                    Files.createDirectories(kept.resolveSibling("."));
                    Files.copy(part, kept, StandardCopyOption.REPLACE_EXISTING);
                }
                return deployed(name, new Source(part, true, config == null ? null : file(config)), update);
            } finally {
                Files.deleteIfExists(part);
            }
        }

        private Path tagged(String tag, ContextName name) throws Refusal {
            if (!ContextName.isPart(tag) || tag.startsWith(".")) {
                throw new Refusal(Refusal.Reason.OTHER, "\"" + tag + "\" is no tag");
            }
            return host.tagged(tag, name);
        }

        private String deployed(ContextName name, Source source, boolean update) throws Refusal {
            return host.deploy(name, source, update) == null
                    ? "OK - Deployed application at context path [" + name.marked() + "]\n"
                    : "FAIL - Deployed application at context path [" + name.marked()
                            + "] but context failed to start\n";
        }

        /** A URL of a file ({@code file:/…}, {@code jar:file:/…!/}), or a path relative to appBase. */
        private Path file(String named) throws Refusal, IOException {
            String plain = named.startsWith("jar:") && named.endsWith("!/")
                    ? named.substring("jar:".length(), named.length() - "!/".length())
                    : named;
            try {
                Path file = plain.startsWith("file:")
                        ? Path.of(plain.substring("file:".length()))
                        : host.appBase().resolve(plain);
                Path real = file.toRealPath();
                if (!isBelow(host.server().base(), real) && !isBelow(host.appBase(), real)) {
                    throw new Refusal(
                            Refusal.Reason.OTHER,
                            named + " is not below the server's base directory; upload it with PUT");
                }
                return real;
            } catch (NoSuchFileException | InvalidPathException e) {
                throw new Refusal(Refusal.Reason.OTHER, named + ": there is no such file");
            }
        }

        private static boolean isBelow(Path directory, Path real) throws IOException {
            return Files.exists(directory) && real.startsWith(directory.toRealPath());
        }

        String undeploy() throws Refusal {
            ContextName name = other();
            host.undeploy(name, null);
            return "OK - Undeployed application at context path [" + name.marked() + "]\n";
        }

        String reload() throws Refusal {
            ContextName name = other();
            return host.reload(name) == null
                    ? "OK - Reloaded application at context path [" + name.marked() + "]\n"
                    : notStarted(name);
        }

        String start() throws Refusal {
            ContextName name = required();
            return host.start(name) == null
                    ? "OK - Started application at context path [" + name.marked() + "]\n"
                    : notStarted(name);
        }

        private static String notStarted(ContextName name) {
            return "FAIL - Application at context path [" + name.marked() + "] could not be started\n";
        }

        String stop() throws Refusal {
            ContextName name = other();
            host.stop(name);
            return "OK - Stopped application at context path [" + name.marked() + "]\n";
        }

        String expire() throws Refusal {
            String idle = caller.parameter("idle");
            try {
                return sessions(idle == null ? -1 : Integer.parseInt(idle.strip()));
            } catch (NumberFormatException e) {
                return "FAIL - Invalid parameters supplied for command [/expire]\n";
            }
        }

        /**
         * The sessions by how long they have not been used, in Tomcat's intervals: at most 60, of whole minutes.
         *
         * @param minutes sessions that have not been used for so long end; negative: none
         */
        String sessions(int minutes) throws Refusal {
            ContextName name = required();
            Idle found = host.sessions(name);
            int expired = minutes < 0 ? 0 : host.expire(name, minutes);
            int timeout = found.timeoutMinutes();
            int interval = Math.max(1, (timeout + MAX_INTERVALS - 1) / MAX_INTERVALS);
            int last = timeout <= 0 ? MAX_INTERVALS : (timeout + interval - 1) / interval;
            Map<Integer, Integer> counts = new TreeMap<>();
            for (long millis : found.idleMillis()) {
                counts.merge((int) Math.min(last, TimeUnit.MILLISECONDS.toMinutes(millis) / interval), 1, Integer::sum);
            }
            StringBuilder text = new StringBuilder("OK - Session information for application at context path ["
                    + name.marked() + "]\nDefault maximum session inactive interval is [" + timeout + "] minutes\n");
            counts.forEach((index, count) -> {
                String range = index == 0
                        ? "<" + interval
                        : index == last ? ">=" + last * interval : index * interval + " - <" + (index + 1) * interval;
                text.append("Inactive for [" + range + "] minutes: [" + count + "] sessions\n");
            });
            if (minutes >= 0) {
                text.append("Inactive for [>" + minutes + "] minutes: [" + expired + "] sessions were expired\n");
            }
            return text.toString();
        }

        String resources() {
            Map<String, String> all = host.resources();
            String type = text("type");
            if (all.isEmpty()) {
                return "FAIL - No global JNDI resources are available\n";
            }
            StringBuilder text = new StringBuilder(
                    type == null
                            ? "OK - Listed global resources of all types\n"
                            : "OK - Listed global resources of type [" + type + "]\n");
            all.forEach((name, of) -> {
                if (type == null || type.equals(of)) {
                    text.append(name).append(':').append(of).append('\n');
                }
            });
            return text.toString();
        }

        String leaks() {
            List<String> found = host.leaks();
            String first = !says("statusLine")
                    ? ""
                    : found.isEmpty()
                            ? "OK - No memory leaks found\n"
                            : "OK - Found potential memory leaks in the following applications:\n";
            return first + found.stream().map(path -> path + "\n").collect(Collectors.joining());
        }
    }
}
