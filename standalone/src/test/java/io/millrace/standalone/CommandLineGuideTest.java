package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Option;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
                new CheckCommand(nowhere));
        List<String> missing = commands.stream()
                .flatMap(command -> command.syntax().options().stream())
                .map(option -> "`" + option.name() + value(option) + "`")
                .filter(shown -> !page.contains(shown))
                .toList();
        assertEquals(List.of(), missing);
    }

    private static String value(Option option) {
        return option.value() == null ? "" : " " + option.value();
    }
}
