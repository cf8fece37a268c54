package io.millrace.standalone;

import io.millrace.standalone.archive.ArchiveCommand;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.CommandLine;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.home.TomcatHomeCommand;
import io.millrace.standalone.log.StderrLog;
import io.millrace.standalone.operator.OperatorCommands;
import io.millrace.standalone.shootout.ShootoutCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The command line: {@code millrace run|start|proxy|check|archive|tomcat-home|shootout|version}, and the commands that ask a running server. */
public final class Main {

    private static final int FAILED = 1;

    private Main() {}

    /** Ends the process with status 0, 1 or 2. */
    public static void main(String[] args) {
        PrintWriter out = writer(System.out, "stdout.encoding");
        PrintWriter err = writer(System.err, "stderr.encoding");
        System.exit(execute(out, err, new OfProcess(), args));
    }

    /** The process has signals, and perhaps a service manager. */
    private static final class OfProcess implements StopRequests {

        @Override
        public void handle(Consumer<Duration> stop) {
            Signals.onStop(stop);
        }

        @Override
        public ServiceManager serviceManager() throws OperatorException {
            return ServiceManager.ofProcess();
        }
    }

    /**
     * Runs a command inside a process that is used for other things too: it handles no signals, and the log goes to {@code err}
     * instead of the process's stderr. Returns when the command has ended. A second command may follow, but not run at the same
     * time, unless another class loader has loaded this class. System properties of a base directory stay set.
     *
     * @param stops receives, once the server serves, what stops it; that takes the longest time running requests are given,
     *     if that is shorter than the configured one, and returns when the server has stopped
     * @return the exit status that the process would have
     */
    public static int embed(PrintWriter out, PrintWriter err, Consumer<Consumer<Duration>> stops, String... words) {
        StderrLog.to(err);
        try {
            return execute(out, err, stops::accept, words);
        } finally {
            StderrLog.to(null);
        }
    }

    /** In the terminal's encoding, which the JDK reports since Java 19. */
    private static PrintWriter writer(PrintStream stream, String property) {
        String encoding = System.getProperty(property);
        return new PrintWriter(stream, true, encoding == null ? Charset.defaultCharset() : Charset.forName(encoding));
    }

    private static int execute(PrintWriter out, PrintWriter err, StopRequests stops, String... words) {
        try {
            return commandLine(out, err, stops).execute(out, err, words);
        } catch (OperatorException e) {
            err.println("millrace: " + e.getMessage());
            return FAILED;
        } catch (Exception e) {
            e.printStackTrace(err);
            return FAILED;
        }
    }

    private static CommandLine commandLine(PrintWriter out, PrintWriter err, StopRequests stops) {
        List<Command> commands = new ArrayList<>(List.of(
                new RunCommand(out, stops),
                new StartCommand(out, err, stops),
                new ProxyCommand(out, stops),
                new CheckCommand(out),
                new ArchiveCommand(out),
                new TomcatHomeCommand(out),
                new ShootoutCommand(out),
                new VersionCommand(out)));
        commands.addAll(OperatorCommands.all(out, err));
        return new CommandLine("millrace", "Runs javax.servlet web applications.", commands);
    }
}
