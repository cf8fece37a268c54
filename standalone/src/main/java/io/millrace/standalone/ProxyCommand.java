package io.millrace.standalone;

import io.millrace.ServerBuilder;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.settings.Settings;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.Command;
import io.millrace.standalone.cli.Operand;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.Syntax;
import io.millrace.standalone.cli.UsageException;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.material.TlsClients;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** {@code millrace proxy http://127.0.0.1:8080}: a reverse proxy without a configuration file. */
final class ProxyCommand implements Command {

    private static final String CA = "--ca";
    private static final String BACKEND_TLS = "--backend-tls";

    private static final Operand BACKENDS = new Operand(
            "BACKEND",
            1,
            Integer.MAX_VALUE,
            "A server that speaks HTTP/1.1: http://host:port, https://host:port or unix:/path; HTTP/2: h2c:// or h2://; SPDY: spdy:// or"
                    + " spdys://; or AJP: ajp://host:port?secret=…. Requests keep their path."
                    + " ?weight=2 gives it twice the requests, ?route=node1 the sessions of that jvmRoute, ?draining=true only those");

    private static final Syntax SYNTAX = new Syntax(
            "proxy",
            "Forwards requests to other servers until SIGTERM or Ctrl-C.",
            BACKENDS,
            SettingOptions.behind(
                    ProxyOptions.all(),
                    CliConnector.optionsAnd(
                            ConsoleLog.OPTIONS,
                            Option.of(
                                    CA,
                                    "FILE",
                                    "PEM file of the certificate authorities of https backends. Default: those of the JDK"),
                            Option.of(
                                    BACKEND_TLS,
                                    "IMPLEMENTATION",
                                    "TLS with backends: jsse (the JDK's), openssl (Java 22 or later), or auto: OpenSSL if available. Default: jsse"),
                            RunCommand.ACCESS_LOG_OPTION,
                            RunCommand.GRACE_OPTION,
                            RunCommand.DRAIN_DELAY_OPTION,
                            RunCommand.HEALTH_OPTION,
                            RunCommand.RULE_OPTION,
                            RunCommand.RULES_OPTION)));

    private final PrintWriter out;
    private final StopRequests stops;

    ProxyCommand(PrintWriter out, StopRequests stops) {
        this.out = out;
        this.stops = stops;
    }

    @Override
    public Syntax syntax() {
        return SYNTAX;
    }

    @Override
    public int run(Arguments arguments) throws OperatorException, UsageException {
        ConsoleLog.install(arguments);
        Duration grace = RunCommand.grace(arguments);
        ProxyApplication proxy = proxy(arguments);
        ServerBuilder server = RunCommand.server(arguments).application(proxy);
        RunCommand.serve(arguments, server, List.of(proxy), grace, new Launcher(out, stops));
        return 0;
    }

    private static ProxyApplication proxy(Arguments arguments) throws OperatorException, UsageException {
        Settings settings = SettingOptions.read(ProxyOptions.all(), arguments);
        try {
            ProxyApplication proxy = ProxyApplication.to(arguments.operands().toArray(String[]::new));
            return proxy.tls(tls(arguments)).with(settings).check();
        } catch (IllegalArgumentException wrong) {
            throw new OperatorException(String.valueOf(wrong.getMessage()));
        }
    }

    /** Loads the certificates once here, so that an error is reported in one line. */
    private static TlsClientOptions tls(Arguments arguments) throws OperatorException, UsageException {
        Settings settings = SettingOptions.read(Settings.DEFAULTS, TlsHost.CA_CERTIFICATE_FILE, CA, arguments);
        settings = SettingOptions.read(settings, TlsOptions.IMPLEMENTATION, BACKEND_TLS, arguments);
        TlsClientOptions options = TlsClientOptions.DEFAULT.with(settings);
        if (settings != Settings.DEFAULTS) {
            try {
                TlsClients.check(options);
            } catch (TlsConfigurationException wrong) {
                String option = wrong.setting() == TlsSetting.IMPLEMENTATION ? BACKEND_TLS : CA;
                throw new OperatorException(option + ": " + wrong.getMessage());
            }
        }
        return options;
    }
}
