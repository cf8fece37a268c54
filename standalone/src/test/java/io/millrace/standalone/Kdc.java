package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** MIT Kerberos as Debian has it: a realm of its own in a directory, whose KDC runs in the foreground on loopback. */
final class Kdc implements AutoCloseable {

    static final String REALM = "MILLRACE.TEST";

    private static final String SBIN = "/usr/sbin/";

    private final Path directory;
    private final Map<String, String> environment;
    private final Process process;

    private Kdc(Path directory, Map<String, String> environment, Process process) {
        this.directory = directory;
        this.environment = environment;
        this.process = process;
    }

    /** Makes the realm and waits until its KDC answers. */
    static Kdc start(Path directory) throws Exception {
        Files.createDirectories(directory);
        int port = LocalPort.free();
        Files.writeString(directory.resolve("krb5.conf"), """
                [libdefaults]
                  default_realm = %1$s
                  dns_lookup_kdc = false
                  dns_lookup_realm = false
                  dns_canonicalize_hostname = false
                  rdns = false
                  udp_preference_limit = 1
                  forwardable = true
                [realms]
                  %1$s = {
                    kdc = 127.0.0.1:%2$d
                  }
                [domain_realm]
                  localhost = %1$s
                """.formatted(REALM, port));
        Files.writeString(directory.resolve("kdc.conf"), """
                [kdcdefaults]
                  kdc_listen = 127.0.0.1:%2$d
                  kdc_tcp_listen = 127.0.0.1:%2$d
                [realms]
                  %1$s = {
                    database_name = %3$s/principal
                    key_stash_file = %3$s/stash
                    acl_file = %3$s/acl
                    supported_enctypes = aes256-cts:normal
                  }
                [logging]
                  kdc = FILE:%3$s/kdc.log
                """.formatted(REALM, port, directory));
        Map<String, String> environment = Map.of(
                "KRB5_CONFIG", directory.resolve("krb5.conf").toString(),
                "KRB5_KDC_PROFILE", directory.resolve("kdc.conf").toString());
        Command.succeed(environment, SBIN + "kdb5_util", "-r", REALM, "create", "-s", "-P", "of the database");
        Process process = Command.start(
                environment,
                List.of(SBIN + "krb5kdc", "-n", "-P", directory.resolve("pid").toString()));
        Kdc kdc = new Kdc(directory, environment, process);
        Deadline.await("the KDC to listen", () -> !process.isAlive() || answers(port));
        if (!process.isAlive()) {
            throw new AssertionError("the KDC ended: " + Files.readString(directory.resolve("kdc.log")));
        }
        return kdc;
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** The configuration of clients and services. */
    Path configuration() {
        return directory.resolve("krb5.conf");
    }

    /** A service with a random key. */
    Path service(String name) throws Exception {
        Path keytab = directory.resolve(name.replace('/', '.') + ".keytab");
        admin("addprinc -randkey +ok_as_delegate " + name);
        admin("ktadd -k " + keytab + " " + name);
        return keytab;
    }

    /** A user who has logged in: what programs need in their environment to be that user. */
    Map<String, String> user(String name) throws Exception {
        String password = "of " + name;
        admin("addprinc -pw \"" + password + "\" " + name);
        Path cache = directory.resolve(name + ".cache");
        Map<String, String> theirs = Map.of("KRB5_CONFIG", configuration().toString(), "KRB5CCNAME", "FILE:" + cache);
        Command kinit = Command.run(password + "\n", theirs, List.of("kinit", "-f", name));
        if (kinit.status() != 0) {
            throw new AssertionError("kinit: " + kinit.output());
        }
        return theirs;
    }

    private void admin(String query) throws Exception {
        Command.succeed(environment, SBIN + "kadmin.local", "-r", REALM, "-q", query);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
