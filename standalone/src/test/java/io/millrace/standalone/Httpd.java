package io.millrace.standalone;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Debian's Apache httpd in the foreground, with a configuration of its own, on loopback. */
final class Httpd implements AutoCloseable {

    private static final Path MODULES = Path.of("/usr/lib/apache2/modules");

    /** Written when it listens on all its ports. */
    private static final String PID = "pid";

    private static final List<String> LOADED = List.of(
            "mpm_event",
            "authz_core",
            "authz_user",
            "authn_core",
            "authn_file",
            "auth_basic",
            "env",
            "headers",
            "setenvif",
            "ssl",
            "http2",
            "slotmem_shm",
            "socache_shmcb",
            "proxy",
            "proxy_ajp",
            "proxy_http",
            "proxy_balancer",
            "lbmethod_byrequests",
            "jk");

    private final Path directory;
    private final Process process;
    private final Map<String, Integer> ports;

    private Httpd(Path directory, Process process, Map<String, Integer> ports) {
        this.directory = directory;
        this.process = process;
        this.ports = ports;
    }

    /** What is to be listened on, by name: the whole of its configuration, with TLS or without. */
    static final class Builder {
        private final Path directory;
        private final Map<String, Integer> ports = new LinkedHashMap<>();
        private final StringBuilder config = new StringBuilder();

        Builder(Path directory) throws IOException {
            this.directory = Files.createDirectories(directory);
        }

        /** A file beside the configuration. */
        Builder file(String name, String text) throws IOException {
            Files.writeString(directory.resolve(name), text);
            return this;
        }

        /** Of the whole server. */
        Builder global(String text) {
            config.append(text).append('\n');
            return this;
        }

        /** A port. */
        Builder plain(String name, String text) throws IOException {
            return host(name, text);
        }

        /** A port with TLS, whose clients may show a certificate. */
        Builder tls(String name, CertificateAuthority authority, String text) throws IOException {
            return host(
                    name,
                    """
                    Protocols h2 http/1.1
                    SSLEngine on
                    SSLCertificateFile %s
                    SSLCertificateKeyFile %s
                    SSLCACertificateFile %s
                    SSLVerifyClient optional
                    """.formatted(authority.certificate("front"), authority.key("front"), authority.root()) + text);
        }

        private Builder host(String name, String text) throws IOException {
            int port = LocalPort.free();
            ports.put(name, port);
            config.append("Listen 127.0.0.1:").append(port);
            config.append("\n<VirtualHost 127.0.0.1:").append(port).append(">\n");
            config.append("ServerName localhost\n").append(text).append("\n</VirtualHost>\n");
            return this;
        }

        /** Starts it; {@link Httpd#awaitReady} waits until it listens. */
        Httpd start() throws IOException {
            Path file = directory.resolve("httpd.conf");
            Files.writeString(file, common() + config);
            Process process = new ProcessBuilder("/usr/sbin/apache2", "-D", "FOREGROUND", "-f", file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("output").toFile())
                    .start();
            return new Httpd(directory, process, ports);
        }

        private String common() {
            List<String> lines = new ArrayList<>();
            LOADED.forEach(
                    name -> lines.add("LoadModule " + name + "_module " + MODULES.resolve("mod_" + name + ".so")));
            lines.add("ServerName localhost");
            for (String directive : List.of("ServerRoot", "DefaultRuntimeDir")) {
                lines.add(directive + " " + directory);
            }
            lines.add("PidFile " + directory.resolve(PID));
            lines.add("ErrorLog " + directory.resolve("error.log"));
            lines.add("SSLSessionCache shmcb:" + directory.resolve("sessions"));
            lines.add("SSLSessionTickets off"); // so that sessions have a name
            lines.add("JkLogFile " + directory.resolve("jk.log"));
            lines.add("JkShmFile " + directory.resolve("jk.shm"));
            lines.add("ServerLimit 1\nThreadsPerChild 16\nMaxRequestWorkers 16\nStartServers 1");
            lines.add("MinSpareThreads 1\nMaxSpareThreads 16");
            if (System.getProperty("user.name", "").equals("root")) {
                lines.add("User www-data\nGroup www-data");
            }
            return String.join("\n", lines) + "\n";
        }
    }

    /** By what it says itself, once it has all its ports: on a port that it did not get somebody else would answer. */
    Httpd awaitReady() {
        Path ready = directory.resolve(PID);
        try {
            Deadline.await("httpd to listen", () -> !process.isAlive() || Files.exists(ready));
        } catch (AssertionError late) {
            throw new AssertionError(late.getMessage() + ": " + log(), late);
        }
        if (!process.isAlive()) {
            throw new AssertionError("httpd ended: " + log());
        }
        return this;
    }

    int port(String name) {
        Integer port = ports.get(name);
        if (port == null) {
            throw new AssertionError("no port " + name);
        }
        return port;
    }

    /** What it and its modules had to say. */
    String log() {
        StringBuilder all = new StringBuilder();
        for (String name : List.of("output", "error.log", "jk.log")) {
            try {
                all.append(Files.readString(directory.resolve(name)));
            } catch (IOException notThere) {
                all.append(name).append(" is not there\n");
            }
        }
        return all.toString();
    }

    /** By SIGTERM: its own processes end with it, which they would not if it were killed. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
