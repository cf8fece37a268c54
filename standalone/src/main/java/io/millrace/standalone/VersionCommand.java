package io.millrace.standalone;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace version} */
@Command(name = "version", description = "Prints the versions of Millrace and Java, and the transports installed.")
final class VersionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        for (String line : lines()) {
            spec.commandLine().getOut().println(line);
        }
        return 0;
    }

    /** From the manifest; a class directory has none. */
    static String millraceVersion() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "(development)" : version;
    }

    private static String[] lines() {
        return new String[] {
            "Millrace   " + millraceVersion(),
            "Java       " + Runtime.version() + ", " + System.getProperty("java.vendor") + ", "
                    + System.getProperty("java.home"),
            "System     " + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                    + System.getProperty("os.arch") + ", "
                    + Runtime.getRuntime().availableProcessors() + " processors",
            "Transports " + String.join(", ", Transports.installed())
        };
    }

    static final class Provider implements IVersionProvider {

        @Override
        public String[] getVersion() {
            return lines();
        }
    }
}
