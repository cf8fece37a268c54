package io.millrace.standalone.admin;

import io.millrace.heap.HeapDump;
import io.millrace.standalone.admin.Administration.Refusal;
import io.millrace.standalone.admin.Administration.Source;
import io.millrace.standalone.config.ContextName;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import javax.management.openmbean.TabularDataSupport;

/** What the commands of the command line ask a server for, except for what only looks at connections and threads. */
final class ManagerCommands {

    private static final Pattern LOGGER = Pattern.compile("[\\w.$\\[\\]/-]+");

    private static final String DUMP = "leak.hprof";

    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final AdminRoot root;
    private final Reports reports;
    private final boolean isSocket;

    /** @param isSocket whether those who ask are on this machine, and the server's user */
    ManagerCommands(AdminRoot root, Reports reports, boolean isSocket) {
        this.root = root;
        this.reports = reports;
        this.isSocket = isSocket;
    }

    /** The host that is asked about. */
    static Administration host(AdminRoot root, Question question) {
        String name = question.text("host");
        return root.hosts().stream()
                .filter(each -> name == null || each.host().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no host " + name + ", only "
                        + root.hosts().stream().map(Administration::host).toList()));
    }

    /** Runs a command. Changes are logged with their user. */
    Answer run(String method, String command, Question question, TextCommands.Caller caller) {
        boolean looks = List.of("list", "sessions", "leaks", "status").contains(command);
        String expected = looks ? "GET" : command.equals("deploy") ? "PUT" : "POST";
        if (!method.equals(expected)) {
            return new Answer(405, "/manager/" + command + " is a " + expected + "\n", false);
        }
        Answer answer;
        try {
            Administration host = host(root, question);
            answer = switch (command) {
                case "list" -> Answer.of(reports.list(host), question);
                case "status" -> Answer.of(reports.status(), question);
                case "sessions" -> sessions(host, question);
                case "leaks" -> leaks(host, question);
                case "deploy" -> deploy(host, question, caller);
                case "undeploy" -> undeploy(host, question);
                case "reload" -> reload(host, question);
                case "pause" -> pause(host, question);
                case "resume" -> resume(host, question);
                case "stop" -> stop(question);
                case "tls" -> tls();
                case "config" -> Answer.done(String.join("\n", root.reloadConfiguration()));
                case "log" -> log(question);
                case "jfr" -> recording(question);
                case "dump" -> dump();
                default -> new Answer(404, "there is no command " + command + "\n", false);
            };
        } catch (Refusal refusal) {
            answer = Answer.refused(why(refusal, question));
        } catch (IOException e) {
            answer = Answer.refused(e.toString());
        }
        if (!looks) {
            TextCommands.log(command, question.text("path"), caller, answer.text());
        }
        return answer;
    }

    private static String why(Refusal refusal, Question question) {
        String path = question.text("path");
        return switch (refusal.reason()) {
            case EXISTS -> path + " exists; use --update to replace it, or another --version beside it";
            case NO_CONTEXT -> "there is no application " + path + "; `list` shows them";
            case IN_SERVER_XML -> path + " is an element of server.xml; remove it there";
            case ITSELF -> path + " cannot do this to itself";
            case INVALID_NAME -> "\"" + refusal.getMessage() + "\" is no context path: expected one such as /shop";
            case OTHER -> String.valueOf(refusal.getMessage());
        };
    }

    private static ContextName name(Question question) throws Refusal {
        String path = question.required("path");
        ContextName name = ContextName.written(path, question.text("version"));
        if (name == null || path.isEmpty()) {
            throw new Refusal(Refusal.Reason.INVALID_NAME, path);
        }
        return name;
    }

    private static String since(long began) {
        return Table.shown(Duration.ofNanos(System.nanoTime() - began));
    }

    private static Answer sessions(Administration host, Question question) throws Refusal {
        ContextName name = name(question);
        Administration.Idle found = host.sessions(name);
        Table table = new Table("IDLE", "SESSIONS");
        long[] limits = {60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000, Long.MAX_VALUE};
        String[] names = {"under 1m", "1m to 5m", "5m to 15m", "15m to 1h", "over 1h"};
        long from = 0;
        for (int i = 0; i < limits.length; i++) {
            long least = from;
            long most = limits[i];
            table.row(
                    names[i],
                    found.idleMillis().stream()
                            .filter(idle -> idle >= least && idle < most)
                            .count());
            from = most;
        }
        return Answer.of(table, question);
    }

    private static Answer leaks(Administration host, Question question) {
        String path = question.text("path");
        Table table = new Table("APPLICATION", "STATE");
        host.leaks().stream()
                .filter(each -> path == null || each.equals(path) || each.startsWith(path + "##"))
                .forEach(each -> table.row(each, "stopped, its classes are still in memory"));
        return Answer.of(table, question);
    }

    private Answer deploy(Administration host, Question question, TextCommands.Caller caller)
            throws Refusal, IOException {
        ContextName name = name(question);
        boolean update = question.says("update");
        boolean exists = host.list().stream().anyMatch(each -> each.name().equals(name));
        if (exists && !update) {
            throw new Refusal(Refusal.Reason.EXISTS);
        }
        Path part = host.upload();
        try {
            long bytes;
            try (InputStream body = caller.body()) {
                bytes = Files.copy(body, part);
            }
            Duration drain = question.time("drain");
            if (drain != null) {
                root.drain(drain);
            }
            long began = System.nanoTime();
            String failure;
            try {
                failure = host.deploy(name, new Source(part, true, null), update);
            } finally {
                if (drain != null) {
                    root.endDrain();
                }
            }
            String uploaded = "uploaded " + size(bytes) + ", ";
            return failure == null
                    ? Answer.done(uploaded + "started in " + since(began) + ", ready")
                    : Answer.refused(uploaded + "failed: " + failure
                            + (exists ? ". The version before stays" : ". It is deployed, and answers 503"));
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static String size(long bytes) {
        return bytes < 1 << 20 ? (bytes + 1023 >> 10) + " KB" : (bytes + (1 << 19) >> 20) + " MB";
    }

    private static Answer undeploy(Administration host, Question question) throws Refusal {
        ContextName name = name(question);
        host.undeploy(name, question.time("grace"));
        return Answer.done("undeployed " + name.display());
    }

    private static Answer reload(Administration host, Question question) throws Refusal {
        ContextName name = name(question);
        long began = System.nanoTime();
        String failure = host.reload(name);
        return failure == null
                ? Answer.done("reloaded " + name.display() + " in " + since(began))
                : Answer.refused(name.display() + " did not start: " + failure);
    }

    private static Answer pause(Administration host, Question question) throws Refusal {
        ContextName name = name(question);
        host.stop(name);
        return Answer.done("paused " + name.display() + "; its requests get 404 until it is resumed");
    }

    private static Answer resume(Administration host, Question question) throws Refusal {
        ContextName name = name(question);
        String failure = host.start(name);
        return failure == null
                ? Answer.done("resumed " + name.display())
                : Answer.refused(name.display() + " did not start: " + failure);
    }

    /** The process's id tells the caller which end to wait for. */
    private Answer stop(Question question) {
        root.stop(question.time("grace"));
        return Answer.done("stopping process " + ProcessHandle.current().pid());
    }

    private Answer tls() {
        List<String> kept = root.servers().stream()
                .flatMap(server -> server.reloadTls().stream())
                .toList();
        return kept.isEmpty()
                ? Answer.done("read the certificates of all connectors again")
                : Answer.refused("kept the certificates that were in use:\n" + String.join("\n", kept));
    }

    private Answer log(Question question) {
        String name = question.required("name");
        String level = question.required("level");
        if (!LOGGER.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is no name of a logger");
        }
        Duration time = question.time("for");
        root.logLevel(name, level, time);
        return Answer.done(name + " logs from " + level + (time == null ? "" : " for " + Table.shown(time)));
    }

    /**
     * Writes a heap dump, which the one who asks reads and deletes: reading takes memory that the server may not have. It contains the
     * passwords that are in memory, so that it is where only the server's user may look.
     */
    private synchronized Answer dump() {
        if (!isSocket) {
            return Answer.refused(
                    "a heap dump is written by the socket only, for commands on the server's own machine");
        }
        Path directory = AdminSocket.usual(root.servers().get(0).base()).resolveSibling(".");
        Path file = directory.normalize().resolve(DUMP);
        String where = "the heap dump would be written into " + file.getParent();
        try {
            Files.deleteIfExists(file); // of a command that was killed
            // references take eight bytes there, and the JDK may write parts first and then merge them
            long needed =
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() * 3;
            long free = Files.getFileStore(directory).getUsableSpace();
            if (free < needed) {
                return Answer.refused(where + " and may take " + size(needed) + ", but only " + size(free)
                        + " are free there; make room, or use `jcmd "
                        + ProcessHandle.current().pid()
                        + " GC.heap_dump FILE` with a file elsewhere");
            }
            HeapDump.write(file);
            return Answer.done(file.toString());
        } catch (IOException e) {
            deleteDump(file);
            return Answer.refused(where + ", which failed (is the disk full?): " + why(e));
        }
    }

    private static String why(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "the server's user may not write there";
        }
        return e instanceof FileSystemException file && file.getReason() != null
                ? file.getReason()
                : String.valueOf(e.getMessage());
    }

    private static void deleteDump(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException notThere) {
            // is reported already
        }
    }

    /** By the flight recorder's own bean, so that the module jdk.jfr may be missing. */
    private Answer recording(Question question) throws IOException {
        Duration time = question.time("for");
        Path file = root.servers().get(0).base().resolve("logs");
        Files.createDirectories(file);
        file = file.resolve(
                "millrace-" + LocalDateTime.now(ZoneId.systemDefault()).format(STAMP) + ".jfr");
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        try {
            ObjectName recorder = new ObjectName("jdk.management.jfr:type=FlightRecorder");
            Object id = invoke(beans, recorder, "newRecording");
            String config = "default";
            beans.invoke(recorder, "setPredefinedConfiguration", new Object[] {id, config}, new String[] {
                "long", "java.lang.String"
            });
            Map<String, String> options = Map.of(
                    "name",
                    "millrace",
                    "destination",
                    file.toString(),
                    "duration",
                    (time == null ? 60 : Math.max(1, time.toSeconds())) + " s",
                    "disk",
                    "true");
            beans.invoke(
                    recorder,
                    "setRecordingOptions",
                    new Object[] {id, table(beans, recorder, id, options)},
                    new String[] {"long", "javax.management.openmbean.TabularData"});
            beans.invoke(recorder, "startRecording", new Object[] {id}, new String[] {"long"});
        } catch (JMException e) {
            Throwable shown = e.getCause() == null ? e : e.getCause();
            return Answer.refused("the flight recorder of this Java cannot be used: " + shown);
        }
        return Answer.done("recording for " + (time == null ? "60s" : Table.shown(time)) + " into " + file);
    }

    private static Object invoke(MBeanServer beans, ObjectName name, String operation) throws JMException {
        return beans.invoke(name, operation, new Object[0], new String[0]);
    }

    /** Options in the form that the bean takes: with the types of those that it has. */
    private static TabularData table(MBeanServer beans, ObjectName recorder, Object id, Map<String, String> options)
            throws JMException {
        TabularData now =
                (TabularData) beans.invoke(recorder, "getRecordingOptions", new Object[] {id}, new String[] {"long"});
        TabularData table = new TabularDataSupport(now.getTabularType());
        for (Map.Entry<String, String> each : options.entrySet()) {
            table.put(new javax.management.openmbean.CompositeDataSupport(
                    now.getTabularType().getRowType(),
                    new String[] {"key", "value"},
                    new Object[] {each.getKey(), each.getValue()}));
        }
        return table;
    }
}
