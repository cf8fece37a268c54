package io.millrace.maven.launch;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * The server in a process that ends with Maven's, however that ends: {@code ForkedMain PID ARGUMENTS}, where the arguments are those of the
 * server's own main class.
 */
public final class ForkedMain {

    private static final String SERVER = "io.millrace.standalone.Main";

    private ForkedMain() {}

    /** Runs the command; the process ends with its status. */
    public static void main(String[] args) throws Throwable {
        long maven = Long.parseLong(args[0]);
        Thread watch = new Thread(() -> endWith(maven), "millrace-maven-watch");
        watch.setDaemon(true);
        watch.start();
        serve(Arrays.copyOfRange(args, 1, args.length));
    }

    private static void endWith(long maven) {
        ProcessHandle.of(maven).ifPresent(process -> process.onExit().join());
        Runtime.getRuntime().exit(1);
    }

    static void serve(String... args) throws Throwable {
        if (System.getProperty("java.util.logging.manager") == null) {
            System.setProperty("java.util.logging.manager", "io.millrace.standalone.log.ServerLogManager");
        }
        try {
            Class.forName(SERVER).getMethod("main", String[].class).invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
