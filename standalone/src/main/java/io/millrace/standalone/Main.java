package io.millrace.standalone;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** The command line: {@code millrace run|start|check|version}. */
@Command(
        name = "millrace",
        description = "Runs javax.servlet web applications.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.Provider.class,
        subcommands = {RunCommand.class, StartCommand.class, CheckCommand.class, VersionCommand.class},
        synopsisSubcommandLabel = "(run|start|check|version)",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:stopped as asked, or nothing wrong", "1:it did not work; stderr says why", "2:wrong usage"})
public final class Main {

    private Main() {}

    /** Ends the process with status 0, 1 or 2. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setExecutionExceptionHandler(Main::report)
                .setUsageHelpAutoWidth(true);
    }

    private static int report(Exception failure, CommandLine command, CommandLine.ParseResult arguments)
            throws Exception {
        if (!(failure instanceof OperatorException)) {
            throw failure;
        }
        command.getErr().println("millrace: " + failure.getMessage());
        return ExitCode.SOFTWARE;
    }
}
