package io.millrace.standalone;

import io.millrace.handler.AccessLog;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.Problems;
import io.millrace.standalone.config.RealmConfig;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.Values;
import io.millrace.standalone.deploy.PlannedDeployment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.format.DateTimeFormatter;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a server from starting although its file reads well: files, drivers, addresses. Start and check both ask here,
 * before anything is opened, so that the one refuses what the other does.
 */
final class Preflight {

    private final BaseDirectory base;
    private final Problems problems;

    Preflight(BaseDirectory base, Problems problems) {
        this.base = base;
        this.problems = problems;
    }

    void check(ServerConfig config) {
        for (ServerConfig.Service service : config.services()) {
            service.connectors().forEach(this::connector);
            Stream<Values> logs = Stream.concat(
                    service.engine().accessLogs().stream(),
                    service.engine().hosts().stream().flatMap(host -> host.accessLogs().stream()));
            logs.forEach(this::accessLog);
            service.engine().hosts().stream()
                    .map(ServerConfig.Host::realm)
                    .distinct()
                    .forEach(this::realm);
        }
    }

    /** Why one application can't be deployed; null if nothing is known. The others go on. */
    static @Nullable String defect(PlannedDeployment deployment) {
        RealmConfig realm = deployment.context().realm();
        if (deployment.defect() != null || realm == null) {
            return deployment.defect();
        }
        try {
            RealmFactory.store(realm);
            return null;
        } catch (OperatorException e) {
            return e.getMessage();
        }
    }

    private void connector(ServerConfig.Connector connector) {
        try {
            InstalledTransports.describe(connector.transport());
        } catch (IllegalStateException cannotWork) {
            problems.error(connector.values().line("protocol"), String.valueOf(cannotWork.getMessage()));
        }
        String address = connector.address();
        if (address != null) {
            try {
                InetAddress.getByName(address);
            } catch (UnknownHostException e) {
                problems.error(
                        connector.values().line("address"),
                        "address=\"" + address + "\" on Connector: no such host is known");
            }
        }
    }

    private void accessLog(Values valve) {
        try {
            AccessLog.builder().pattern(valve.text("pattern", "common"));
        } catch (IllegalArgumentException e) {
            problems.error(valve.line("pattern"), String.valueOf(e.getMessage()));
        }
        try {
            var unused = DateTimeFormatter.ofPattern(valve.flag("rotatable") ? valve.text("fileDateFormat", "") : "");
        } catch (IllegalArgumentException e) {
            problems.error(valve.line("fileDateFormat"), "fileDateFormat on Valve: " + e.getMessage());
        }
        Path directory = base.resolve(valve.text("directory", "logs"));
        Path present = directory;
        while (present != null && Files.notExists(present)) {
            present = present.getParent();
        }
        if (present != null && (!Files.isDirectory(present) || !Files.isWritable(present))) {
            problems.error(
                    valve.line("directory"),
                    "the access log can't be written to " + directory + ": " + present
                            + (Files.isDirectory(present) ? " may not be written by this user" : " is no directory"));
        }
    }

    private void realm(@Nullable RealmConfig realm) {
        if (realm == null) {
            return;
        }
        try {
            RealmFactory.store(realm);
        } catch (OperatorException e) {
            problems.error(realm.values().line(), String.valueOf(e.getMessage()));
        }
        driver(realm);
    }

    /** Without its driver a database lets nobody in, which only the first login would tell. */
    private void driver(RealmConfig realm) {
        realm.nested().forEach(this::driver);
        String driver = switch (realm.kind()) {
            case JDBC -> realm.values().text("driverName");
            case DATA_SOURCE -> realm.dataSource().get("driverClassName");
            default -> null;
        };
        if (driver == null) {
            return;
        }
        try {
            Class.forName(driver, false, Preflight.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            problems.warning(
                    realm.values().line(),
                    "the driver " + driver + " of the Realm is not there, and nobody can log in: put its jar into lib");
        }
    }
}
