package io.millrace.standalone.operator;

import io.millrace.handler.Json;
import io.millrace.heap.HeapDump;
import io.millrace.standalone.admin.StoppedLoader;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.cli.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code millrace leaks}: stopped applications whose classes are still in memory, and with {@code --dump} what holds them there. The server
 * writes a heap dump and this command reads it, so that the server needs no memory for that; the file is deleted as soon as it is open.
 */
final class LeaksCommand implements Command {

    private static final Option DUMP = Option.flag(
            "--dump",
            "Show what holds them: the server writes a heap dump, during which it answers nothing; the file is deleted");

    private static final Syntax SYNTAX = new Syntax(
            "leaks",
            "Lists stopped applications whose classes are still in memory; collects garbage.",
            new Operand("PATH", 0, 1, "Only of this application"),
            List.of(ServerAccess.BASE, ServerAccess.TIMEOUT, ServerAccess.JSON, ServerAccess.VIRTUAL_HOST, DUMP));

    private final PrintWriter out;
    private final PrintWriter err;

    LeaksCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Syntax syntax() {
        return SYNTAX;
    }

    @Override
    public String example() {
        return "millrace leaks /shop --dump";
    }

    @Override
    public int run(Arguments arguments) throws OperatorException, UsageException {
        AdminClient client = ServerAccess.client(arguments, ServerAccess.CHANGING);
        boolean json = arguments.flag(ServerAccess.JSON.name());
        boolean dump = arguments.flag(DUMP.name());
        String path =
                arguments.operands().isEmpty() ? null : arguments.operands().get(0);
        AdminClient.Answer answer = client.ask(
                "GET",
                ServerAccess.target(
                        "/manager/leaks",
                        "json",
                        json && !dump ? "true" : null,
                        "path",
                        path,
                        "host",
                        arguments.text(ServerAccess.VIRTUAL_HOST.name())));
        if (!dump || !answer.isDone()) {
            return ServerAccess.print(answer, out, err);
        }
        Map<String, List<String>> holders = answer.text().lines().count() < 2 ? Map.of() : holders(client, path);
        if (json) {
            out.print(holders.entrySet().stream()
                    .map(LeaksCommand::object)
                    .collect(Collectors.joining(",\n", "[", "]\n")));
        } else if (holders.isEmpty()) {
            out.println("no class of a stopped application is in memory");
        } else {
            holders.forEach((name, lines) -> {
                out.println(name + " is held by");
                lines.forEach(line -> out.println("    " + line));
            });
        }
        out.flush();
        return 0;
    }

    private static String object(Map.Entry<String, List<String>> holder) {
        return "{\"application\":" + Json.quote(holder.getKey()) + ",\"path\":["
                + holder.getValue().stream().map(Json::quote).collect(Collectors.joining(",")) + "]}";
    }

    /** By the names of applications, each with the shortest path of references to one of its class loaders. */
    private static Map<String, List<String>> holders(AdminClient client, @Nullable String path)
            throws OperatorException {
        AdminClient.Answer written = client.ask("POST", "/manager/dump");
        String file = written.text().strip();
        if (!written.isDone()) {
            throw new OperatorException(file);
        }
        try (HeapDump dump = opened(Path.of(file))) {
            return holders(dump, path);
        } catch (AccessDeniedException e) {
            throw new OperatorException(
                    file + " may not be read or deleted by this user; run the command as the server's user");
        } catch (IOException e) {
            throw new OperatorException(file + " " + e.getMessage());
        } catch (OutOfMemoryError e) {
            throw new OperatorException(
                    "this command has not enough memory for what leads to the classes; give it more,"
                            + " such as with JAVA_TOOL_OPTIONS=-XX:MaxRAMPercentage=70");
        }
    }

    private static HeapDump opened(Path file) throws IOException {
        try {
            return HeapDump.open(file);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static Map<String, List<String>> holders(HeapDump dump, @Nullable String path) throws IOException {
        Set<Long> notes = dump.instancesOf(StoppedLoader.class.getName());
        Map<Long, Long> loaders = dump.field(notes, StoppedLoader.LOADER);
        Map<Long, Long> names = dump.field(notes, StoppedLoader.APPLICATION);
        Map<Long, String> texts = dump.texts(new HashSet<>(names.values()));
        Map<String, Set<Long>> byName = new TreeMap<>();
        names.forEach((note, name) -> {
            String text = String.valueOf(texts.get(name));
            Long loader = loaders.get(note);
            if (loader != null && loader != 0 && (path == null || text.equals(path) || text.startsWith(path + "##"))) {
                byName.computeIfAbsent(text, unused -> new HashSet<>()).add(loader);
            }
        });
        Map<String, List<String>> holders = new TreeMap<>();
        for (Map.Entry<String, Set<Long>> each : byName.entrySet()) {
            List<String> lines = new ArrayList<>(dump.pathTo(each.getValue()));
            holders.put(each.getKey(), lines.isEmpty() ? List.of("nothing any more: it is garbage") : lines);
        }
        return holders;
    }
}
