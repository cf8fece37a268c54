package io.millrace.standalone.shootout;

import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.cli.UsageException;
import java.io.PrintWriter;

/** {@code millrace shootout}: measures this installation's connectors, and says which one to choose. */
public final class ShootoutCommand implements Command {

    private final PrintWriter out;

    /** @param out receives the tables */
    public ShootoutCommand(PrintWriter out) {
        this.out = out;
    }

    @Override
    public Syntax syntax() {
        return ShootoutSyntax.SYNTAX;
    }

    @Override
    public String example() {
        return "millrace shootout shop.war --url /shop/list --report shop.html";
    }

    @Override
    public int run(Arguments arguments) throws UsageException, OperatorException, InterruptedException {
        Shootout.run(arguments, out);
        return 0;
    }
}
