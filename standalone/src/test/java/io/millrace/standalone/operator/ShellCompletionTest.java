package io.millrace.standalone.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In bash, a command line … */
final class ShellCompletionTest {

    @TempDir
    private static Path directory = Path.of("");

    @BeforeAll
    static void write() throws IOException {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        Files.writeString(
                directory.resolve("script"), ShellCompletion.script("bash", OperatorCommands.all(nowhere, nowhere)));
        Files.createDirectory(directory.resolve("my base"));
        Files.createDirectory(directory.resolve("srv"));
    }

    /** Bash takes an equals sign for a word of its own. */
    @ParameterizedTest
    @CsvSource({
        "de, deploy",
        "tomc, tomcat-home",
        "deploy|--up, --update",
        "deploy|--t, --timeout --to",
        "tls|r, reload",
        "shootout|--transports|nio2, nio2",
        "shootout|--rep, --report",
        "jfr|s, start",
        "completion|z, zsh",
        "help|und, undeploy",
        "start|--adm, --admin",
        "connections|--state|a, active",
        "connections|--state|=|id, idle",
        "list|--base|sr, srv",
        "list|--base|=|sr, srv",
        "list|--base=sr, --base=srv",
        "list|--base|my, my base",
        "deploy|--path|d, ''",
        "list|x, ''"
    })
    void isCompleted(String typed, String expected) throws Exception {
        String words = "millrace|" + typed;
        Process bash = new ProcessBuilder(List.of(
                        "bash",
                        "-c",
                        "source ./script; IFS='|' read -ra COMP_WORDS <<<\"$0\"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                                + " _millrace; IFS=' '; printf %s \"${COMPREPLY[*]}\"",
                        words))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, bash.waitFor(), output);
        assertEquals(expected, output);
    }
}
