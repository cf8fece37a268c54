package org.apache.catalina.startup;

import io.millrace.standalone.Main;
import io.millrace.standalone.log.ServerLogManager;
import io.millrace.standalone.operator.Operator;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts and stops Millrace where tools start Tomcat: {@code Bootstrap start}, {@code stop} and {@code configtest} are {@code millrace
 * start}, {@code stop} and {@code check} for the base directory of {@code catalina.base}. It is in {@code bin/bootstrap.jar}, whose manifest
 * names the server's jars.
 */
public final class Bootstrap {

    private static final String BASE = "catalina.base";
    private static final String HOME = "catalina.home";
    private static final int MISUSED = 1;

    private Bootstrap() {}

    /** Ends the process, with status 0 if that was done. Without a command it starts the server. */
    public static void main(String[] args) throws IOException, URISyntaxException {
        Path installed = installed();
        Path home = Path.of(System.getProperty(HOME, installed.toString())).toAbsolutePath();
        Path base = Path.of(System.getProperty(BASE, home.toString())).toAbsolutePath();
        System.setProperty(HOME, home.toString());
        String command = args.length == 0 ? "start" : args[args.length - 1];
        requireUsual(args, base);
        switch (command) {
            case "start", "startd" -> {
                useOwnLogManager();
                nameClassPath(installed);
                System.setProperty(
                        "millrace.home", installed.resolve("millrace").toString());
                Main.main(new String[] {"start", "--base=" + base});
            }
            case "stop", "stopd" -> Operator.main(new String[] {"stop", "--base=" + base});
            case "configtest" -> {
                nameClassPath(installed);
                Main.main(new String[] {
                    "check", "--base=" + base, base.resolve("conf/server.xml").toString()
                });
            }
            default -> misused("\"" + command + "\" is not a command; expected start, stop or configtest");
        }
    }

    /** The directory above that of this class's jar. */
    private static Path installed() throws URISyntaxException {
        Path jar = Path.of(Bootstrap.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path bin = jar.toAbsolutePath().getParent();
        Path home = bin == null ? null : bin.getParent();
        return home == null ? Path.of("").toAbsolutePath() : home;
    }

    /** {@code -config} may name the usual file only; what else Tomcat understands has nothing to do here. */
    private static void requireUsual(String[] args, Path base) {
        List<String> words = Arrays.asList(args);
        int config = words.indexOf("-config");
        Path usual = base.resolve("conf/server.xml").normalize();
        if (config >= 0 && config + 1 < args.length) {
            Path named = base.resolve(args[config + 1]).normalize();
            if (!named.equals(usual)) {
                misused("-config " + named + ": the server reads " + usual + "; put the file there, or name with -D"
                        + BASE + " the directory that has it in conf");
            }
        }
    }

    private static void misused(String why) {
        PrintStream err = System.err;
        err.println("millrace: " + why);
        System.exit(MISUSED);
    }

    /** Before anything is logged: the server's log manager is Tomcat's with more in it. */
    private static void useOwnLogManager() {
        String manager = System.getProperty("java.util.logging.manager", "org.apache.juli.ClassLoaderLogManager");
        if (manager.equals("org.apache.juli.ClassLoaderLogManager")) {
            System.setProperty("java.util.logging.manager", ServerLogManager.class.getName());
        }
    }

    /** Names the jars of the manifest in {@code java.class.path} too, where the compiler of JSP looks for interfaces and tag libraries. */
    private static void nameClassPath(Path home) throws IOException {
        Path lib = home.resolve("millrace/lib");
        if (Files.isDirectory(lib)) {
            try (Stream<Path> jars = Files.list(lib)) {
                String all = jars.map(Path::toString)
                        .filter(name -> name.endsWith(".jar"))
                        .sorted()
                        .collect(Collectors.joining(File.pathSeparator));
                System.setProperty(
                        "java.class.path", System.getProperty("java.class.path", "") + File.pathSeparator + all);
            }
        }
    }
}
