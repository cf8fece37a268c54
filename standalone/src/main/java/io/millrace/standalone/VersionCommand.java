package io.millrace.standalone;

import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import java.io.PrintWriter;
import java.util.List;
import org.apache.catalina.util.ServerInfo;

/** {@code millrace version}: prints versions. */
final class VersionCommand implements Command {

    private static final String TOMCAT = "--tomcat";

    private static final Syntax SYNTAX = new Syntax(
            "version",
            "Prints the versions of Millrace and Java, the transports installed, and whether a class archive is in use.",
            Operand.NONE,
            List.of(Option.flag(TOMCAT, "Print the version of Tomcat that tools ask a home like Tomcat's for")));

    private final PrintWriter out;

    VersionCommand(PrintWriter out) {
        this.out = out;
    }

    @Override
    public Syntax syntax() {
        return SYNTAX;
    }

    @Override
    public int run(Arguments arguments) {
        (arguments.flag(TOMCAT) ? ServerInfo.lines() : lines()).forEach(out::println);
        return 0;
    }

    /** From the manifest, which a class directory lacks. */
    static String millraceVersion() {
        String version = VersionCommand.class.getPackage().getImplementationVersion();
        return version == null ? "(development)" : version;
    }

    private static List<String> lines() {
        return List.of(
                "Millrace   " + millraceVersion(),
                "Java       " + Runtime.version() + ", " + System.getProperty("java.vendor") + ", "
                        + System.getProperty("java.home"),
                "System     " + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                        + System.getProperty("os.arch") + ", "
                        + Runtime.getRuntime().availableProcessors() + " processors",
                "Transports " + String.join(", ", InstalledTransports.installed()),
                "Archive    " + StartArchive.current().describe());
    }
}
