package io.millrace.standalone;

import io.millrace.standalone.config.Problems;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.deploy.AppBase;
import io.millrace.standalone.deploy.Deployment;
import io.millrace.tls.ReloadingEngines;
import io.millrace.tls.TlsOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace check}: what start would do, without doing it. */
@Command(
        name = "check",
        description = "Says what is wrong with a server.xml, and what start would listen on and deploy.",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "Default: conf/server.xml of the base directory")
    private @Nullable Path file;

    @Option(names = "--base", paramLabel = "DIR", description = "Default: above the directory of FILE, else here")
    private @Nullable Path base;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws OperatorException {
        PrintWriter out = spec.commandLine().getOut();
        BaseDirectory directory = new BaseDirectory(base());
        Path checked = file == null ? directory.serverXml() : file;
        Problems problems = new Problems(directory.nameOf(checked));
        ServerConfig config = read(directory, checked, problems);
        List<String> plan = new ArrayList<>();
        if (config != null) {
            config.services().forEach(service -> describe(service, directory, problems, plan));
        }
        BaseDirectory.print(problems, out);
        plan.forEach(out::println);
        out.println(problems.summary());
        return problems.hasErrors() ? 1 : 0;
    }

    /** A file in a directory conf belongs to the directory above. */
    private @Nullable Path base() {
        if (base != null || file == null) {
            return base;
        }
        Path parent = file.toAbsolutePath().normalize().getParent();
        return parent != null && parent.endsWith("conf") ? parent.getParent() : parent;
    }

    private @Nullable ServerConfig read(BaseDirectory directory, Path checked, Problems problems)
            throws OperatorException {
        if (file == null && Files.notExists(checked)) {
            problems.warning(0, "there is no such file; start uses its built-in configuration");
            return directory.builtIn();
        }
        return directory.read(checked, problems);
    }

    private static void describe(
            ServerConfig.Service service, BaseDirectory directory, Problems problems, List<String> plan) {
        for (ServerConfig.Connector connector : service.connectors()) {
            plan.add(Summary.of(connector));
            try {
                Transports.describe(connector.transport());
            } catch (IllegalStateException cannotWork) {
                problems.error(connector.values().line("protocol"), String.valueOf(cannotWork.getMessage()));
            }
            TlsOptions tls = connector.tls();
            if (tls != null) {
                ReloadingEngines.inspect(tls).lines().forEach(line -> plan.add("  " + line));
            }
        }
        for (ServerConfig.Host host : service.engine().hosts()) {
            if (Files.notExists(host.appBase()) && host.contexts().isEmpty()) {
                problems.warning(
                        host.values().line("appBase"),
                        "appBase " + directory.nameOf(host.appBase()) + " on Host: there is no such directory");
            }
            for (Deployment deployment : deployments(host, problems)) {
                plan.add("host " + host.name() + ": " + deployment.contextPath() + "/" + version(deployment) + " from "
                        + directory.nameOf(deployment.docBase()));
                deployment.context().problems().forEach(problem -> plan.add("  " + problem));
                if (deployment.defect() != null) {
                    problems.error(
                            deployment.line(), directory.nameOf(deployment.docBase()) + ": " + deployment.defect());
                }
            }
        }
    }

    private static List<Deployment> deployments(ServerConfig.Host host, Problems problems) {
        try {
            return AppBase.deployments(host);
        } catch (IOException e) {
            problems.error(host.values().line("appBase"), "appBase " + host.appBase() + " cannot be read (" + e + ")");
            return List.of();
        }
    }

    private static String version(Deployment deployment) {
        String version = deployment.name().version();
        return version.isEmpty() ? "" : " version " + version;
    }
}
