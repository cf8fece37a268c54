package io.millrace.standalone;

import io.millrace.standalone.archive.ArchiveCommand;
import io.millrace.standalone.cli.CommandLine;
import io.millrace.standalone.cli.OperatorException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;

/** The command line: {@code millrace run|start|proxy|check|archive|version}. */
public final class Main {

    private static final int FAILED = 1;

    private Main() {}

    /** Ends the process with status 0, 1 or 2. */
    public static void main(String[] args) {
        System.exit(execute(writer(System.out, "stdout.encoding"), writer(System.err, "stderr.encoding"), args));
    }

    /** In the terminal's encoding, which the JDK reports since Java 19. */
    private static PrintWriter writer(PrintStream stream, String property) {
        String encoding = System.getProperty(property);
        return new PrintWriter(stream, true, encoding == null ? Charset.defaultCharset() : Charset.forName(encoding));
    }

    private static int execute(PrintWriter out, PrintWriter err, String... words) {
        try {
            return commandLine(out, err).execute(out, err, words);
        } catch (OperatorException e) {
            err.println("millrace: " + e.getMessage());
            return FAILED;
        } catch (Exception e) {
            e.printStackTrace(err);
            return FAILED;
        }
    }

    private static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return new CommandLine(
                "millrace",
                "Runs javax.servlet web applications.",
                List.of(
                        new RunCommand(out),
                        new StartCommand(out, err),
                        new ProxyCommand(out),
                        new CheckCommand(out),
                        new ArchiveCommand(out),
                        new VersionCommand(out)));
    }
}
