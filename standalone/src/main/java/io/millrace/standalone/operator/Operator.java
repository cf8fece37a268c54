package io.millrace.standalone.operator;

import io.millrace.standalone.cli.CommandLine;
import io.millrace.standalone.cli.OperatorException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/** The main class of the commands that ask a running server. It loads little, so that they answer at once. */
public final class Operator {

    private Operator() {}

    /** Ends the process with status 0, 1 or 2. */
    public static void main(String[] args) {
        PrintWriter out = writer(System.out, "stdout.encoding");
        PrintWriter err = writer(System.err, "stderr.encoding");
        int status;
        try {
            status = new CommandLine("millrace", "Runs javax.servlet web applications.", OperatorCommands.all(out, err))
                    .execute(out, err, args);
        } catch (OperatorException e) {
            err.println("millrace: " + e.getMessage());
            status = 1;
        } catch (Exception e) {
            e.printStackTrace(err);
            status = 1;
        }
        out.flush();
        err.flush();
        System.exit(status);
    }

    private static PrintWriter writer(PrintStream stream, String property) {
        String encoding = System.getProperty(property);
        return new PrintWriter(stream, true, encoding == null ? Charset.defaultCharset() : Charset.forName(encoding));
    }
}
