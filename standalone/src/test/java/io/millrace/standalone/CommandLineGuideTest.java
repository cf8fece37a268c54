package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.archive.ArchiveCommand;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.CommandLine;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.home.TomcatHomeCommand;
import io.millrace.standalone.operator.OperatorCommands;
import io.millrace.standalone.shootout.ShootoutCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The guide's page on the command line … */
final class CommandLineGuideTest {

    private static final Path PAGE = Path.of("..", "docs", "guide", "command-line.md");

    @Test
    void namesEachOptionWithItsValue() throws IOException {
        String page = Files.readString(PAGE);
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        List<Command> commands = List.of(
                new RunCommand(nowhere, stop -> {}),
                new StartCommand(nowhere, nowhere, stop -> {}),
                new CheckCommand(nowhere),
                new ShootoutCommand(nowhere));
        List<String> missing = commands.stream()
                .flatMap(command -> command.syntax().options().stream())
                .map(option -> "`" + option.name() + value(option) + "`")
                .filter(shown -> !page.contains(shown))
                .toList();
        assertEquals(List.of(), missing);
    }

    @Test
    void namesEachCommandForARunningServer() throws IOException {
        String page = Files.readString(PAGE);
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        List<String> missing = OperatorCommands.all(nowhere, nowhere).stream()
                .map(command -> "`" + command.syntax().name() + "`")
                .filter(shown -> !page.contains(shown))
                .toList();
        assertEquals(List.of(), missing);
    }

    /** The script's class does not load these commands' classes. */
    @Test
    void agreesWithWhatShellsComplete() throws Exception {
        StringWriter written = new StringWriter();
        PrintWriter out = new PrintWriter(written, true);
        List<Command> asking = OperatorCommands.all(out, out);
        new CommandLine("millrace", "", asking).execute(out, out, "completion", "bash");
        String script = written.toString();
        List<Command> commands = new ArrayList<>(asking);
        commands.addAll(List.of(
                new RunCommand(out, stop -> {}),
                new StartCommand(out, out, stop -> {}),
                new ProxyCommand(out, stop -> {}),
                new CheckCommand(out),
                new ArchiveCommand(out),
                new TomcatHomeCommand(out),
                new ShootoutCommand(out),
                new VersionCommand(out)));
        for (Command command : commands) {
            String line = "\n        " + command.syntax().name() + ") options='"
                    + command.syntax().options().stream().map(Option::name).collect(Collectors.joining(" "));
            assertTrue(script.contains(line + "'") || script.contains(line + " "), line + "\n" + script);
        }
    }

    @Test
    void hasExamplesInItsHelpThatAreUnderstood() throws Exception {
        StringWriter written = new StringWriter();
        PrintWriter out = new PrintWriter(written, true);
        List<Command> all = OperatorCommands.all(out, out);
        CommandLine reading = new CommandLine(
                "millrace",
                "",
                all.stream()
                        .<Command>map(command -> new Understood(command.syntax()))
                        .toList());
        for (Command command : all) {
            String typed = command.example().replaceAll("^source <\\(|\\)$", ""); // of a shell that reads its output
            String[] words = typed.split(" ", -1);
            assertEquals("millrace", words[0], command.syntax().name());
            assertEquals(command.syntax().name(), words[1], command.example());
            int status = reading.execute(out, out, Arrays.copyOfRange(words, 1, words.length));
            assertEquals(0, status, command.example() + "\n" + written);
        }
    }

    /** A command that is only read. */
    private record Understood(Syntax syntax) implements Command {

        @Override
        public int run(Arguments arguments) {
            return 0;
        }
    }

    private static String value(Option option) {
        return option.value() == null ? "" : " " + option.value();
    }
}
