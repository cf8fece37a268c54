package io.millrace.standalone.shootout;

import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import java.util.List;

/** The options of a shoot-out. Each start of a server loads this class, so what reads them is in another one. */
final class ShootoutSyntax {

    static final String URL = "--url";
    static final String TRANSPORTS = "--transports";
    static final String TLS = "--tls";
    static final String SIZES = "--sizes";
    static final String CLIENTS = "--clients";
    static final String SECONDS = "--seconds";
    static final String ROUNDS = "--rounds";
    static final String QUICK = "--quick";
    static final String NO_ASYNC = "--no-async";
    static final String PORTS = "--ports";
    static final String HEAP = "--heap";
    static final String BESIDE = "--beside";
    static final String REPORT = "--report";
    static final String JSON = "--json";

    static final Syntax SYNTAX = new Syntax(
            "shootout",
            "Measures this installation's connectors on this machine, and says which one to choose.",
            new Operand(
                    "WAR",
                    0,
                    Integer.MAX_VALUE,
                    "Applications of your own, as for run; the first one's page is measured. Default: a servlet and files"),
            List.of(
                    Option.of(URL, "PATH", "The page of the WAR to measure, such as /shop/list. Default: its root"),
                    Option.of(TRANSPORTS, "LIST", "Transports, such as nio,apr. Default: all that work here"),
                    Option.of(TLS, "LIST", "Of plain, jsse and openssl. Default: all that work here"),
                    Option.of(
                            SIZES,
                            "LIST",
                            "Responses: a servlet's, or files of these sizes. Default: servlet,4k,128k,4m; with --quick"
                                    + " servlet,128k"),
                    Option.of(CLIENTS, "LIST", "Numbers of clients. Default: 4,40; with --quick 20"),
                    Option.of(SECONDS, "N", "Of each measurement. Default: 1"),
                    Option.of(ROUNDS, "N", "Measurements of everything, by turns. Default: 3"),
                    Option.flag(QUICK, "A first impression, in three to four minutes"),
                    Option.flag(NO_ASYNC, "Do not compare synchronous and asynchronous servlets"),
                    Option.of(PORTS, "FROM-TO", "Ports to use. Default: any free ones"),
                    Option.of(HEAP, "SIZE", "The heap of each server. Default: 128m, with a WAR 256m"),
                    Option.of(
                            BESIDE,
                            "NAME=URL",
                            "Other servers of this machine that have the same pages, separated by commas, such as"
                                    + " tomcat=http://localhost:8081"),
                    Option.of(REPORT, "FILE", "Write an HTML page with charts, which needs no other file"),
                    Option.of(JSON, "FILE", "Write all figures as JSON")));

    private ShootoutSyntax() {}
}
