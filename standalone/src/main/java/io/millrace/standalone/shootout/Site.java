package io.millrace.standalone.shootout;

import io.millrace.handler.Page;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.deploy.PlannedDeployment;
import io.millrace.standalone.shootout.ShootoutResult.Contestant;
import io.millrace.standalone.shootout.ShootoutResult.Tls;
import io.millrace.standalone.shootout.ShootoutResult.Workload;
import io.millrace.text.PemText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * A temporary directory with what the servers of a shoot-out need, and those servers. Closing it, from any thread, ends them and deletes
 * the directory; none starts afterwards.
 */
final class Site implements AutoCloseable {

    private static final String PASSWORD = "shootout";

    private static final String WEB_XML = """
            <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0">
              <servlet>
                <servlet-name>shootout</servlet-name>
                <servlet-class>SERVLET</servlet-class>
                <load-on-startup>1</load-on-startup>
                <async-supported>true</async-supported>
              </servlet>
              <servlet-mapping>
                <servlet-name>shootout</servlet-name>
                <url-pattern>/hello</url-pattern>
                <url-pattern>/sleep</url-pattern>
                <url-pattern>/asleep</url-pattern>
                <url-pattern>/fib</url-pattern>
                <url-pattern>/afib</url-pattern>
              </servlet-mapping>
            </web-app>
            """;

    private final Path directory;
    private final int heap;
    private final List<ServerProcess> servers = new ArrayList<>();
    private String contexts = "";
    private int bases;
    private boolean isClosed;

    private Site(Path directory, int heap) {
        this.directory = directory;
        this.heap = heap;
    }

    /**
     * Creates it.
     *
     * @throws OperatorException if it cannot be written
     */
    static Site create(ShootoutOptions options) throws OperatorException {
        try {
            Site site = new Site(Files.createTempDirectory("millrace-shootout"), options.heap());
            Runtime.getRuntime().addShutdownHook(new Thread(site::close, "shootout-end"));
            site.writeApplications(options);
            return site;
        } catch (IOException e) {
            throw new OperatorException("cannot write the shoot-out's files (" + e
                    + "); -Djava.io.tmpdir=DIR in JAVA_OPTS selects another directory");
        }
    }

    private void writeApplications(ShootoutOptions options) throws IOException {
        StringBuilder text = new StringBuilder();
        for (PlannedDeployment war : options.wars()) {
            text.append(context(war.contextPath(), war.docBase().toAbsolutePath()));
        }
        if (options.wars().isEmpty()) {
            Path application = directory.resolve("application");
            writeServlet(application);
            for (Workload workload : options.workloads()) {
                if (workload.size() >= 0) {
                    writeFile(application.resolve(workload.path().substring(1)), workload.size());
                }
            }
            text.append(context("", application));
        }
        contexts = text.toString();
    }

    private static String context(String path, Path docBase) {
        return "<Context path=\"" + Page.escaped(path) + "\" docBase=\"" + Page.escaped(docBase.toString()) + "\"/>";
    }

    /** A copy of the class: applications do not see the server's classes. */
    private static void writeServlet(Path application) throws IOException {
        String file = ShootoutServlet.class.getName().replace('.', '/') + ".class";
        Path copy = application.resolve("WEB-INF/classes").resolve(file);
        Files.createDirectories(copy.getParent());
        try (InputStream in = ShootoutServlet.class.getClassLoader().getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException("the class file " + file + " is missing");
            }
            Files.copy(in, copy);
        }
        Files.writeString(
                application.resolve("WEB-INF/web.xml"), WEB_XML.replace("SERVLET", ShootoutServlet.class.getName()));
    }

    private static void writeFile(Path file, long size) throws IOException {
        Files.createDirectories(file.getParent());
        byte[] block = new byte[64 * 1024];
        new java.util.Random(size).nextBytes(block);
        try (var out = Files.newOutputStream(file)) {
            for (long left = size; left > 0; left -= block.length) {
                out.write(block, 0, (int) Math.min(left, block.length));
            }
        }
    }

    /**
     * Makes a certificate of its own for TLS, by the JDK's keytool.
     *
     * @return the certificate as PEM, for the clients to trust
     * @throws IOException if that is not possible; says why
     */
    Path makeCertificate() throws IOException, InterruptedException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        if (!Files.isExecutable(keytool)) {
            throw new IOException("there is no " + keytool + " to make a certificate with");
        }
        Path store = directory.resolve("keys.p12");
        Process process = new ProcessBuilder(
                        keytool.toString(),
                        "-J-XX:TieredStopAtLevel=1",
                        "-genkeypair",
                        "-alias",
                        "shootout",
                        "-keyalg",
                        "RSA",
                        "-keysize",
                        "2048",
                        "-validity",
                        "30",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(keytool + " made no certificate: " + output);
        }
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            return Files.writeString(directory.resolve("certificate.pem"), PemText.of(keys.getCertificate("shootout")));
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate that " + keytool + " made cannot be read: " + e, e);
        }
    }

    /**
     * Asks a server for its certificates.
     *
     * @return them as PEM, for the clients to trust
     * @throws IOException if it has none; says why
     */
    Path fetchCertificates(String host, int port) throws IOException {
        StringBuilder chain = new StringBuilder();
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Trusting()}, null);
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(host, port)) {
                socket.startHandshake();
                for (Certificate each : socket.getSession().getPeerCertificates()) {
                    chain.append(PemText.of(each));
                }
            }
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate of " + host + ":" + port + " cannot be read: " + e, e);
        }
        return Files.writeString(directory.resolve("certificates-" + port + ".pem"), chain);
    }

    /** Trusts everybody: it is used to look at a certificate, before anything is sent. */
    private static final class Trusting implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /**
     * Starts a server, and returns at once.
     *
     * @param port 0 for a free one
     * @throws IOException if the process cannot be started, or the site is closed
     */
    synchronized ServerProcess start(Contestant contestant, int port) throws IOException {
        if (isClosed) {
            throw new IOException("the shoot-out has been ended");
        }
        Path base = directory.resolve("base-" + bases++);
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(base.resolve("conf/server.xml"), serverXml(contestant, port));
        ServerProcess server = ServerProcess.start(base, heap);
        servers.add(server);
        return server;
    }

    private String serverXml(Contestant contestant, int port) {
        Tls tls = contestant.tls();
        String encrypted = """
                 SSLEnabled="true" scheme="https" secure="true" sslImplementation="%s"><SSLHostConfig>
                    <Certificate certificateKeystoreFile="%s" certificateKeystorePassword="%s"/>
                  </SSLHostConfig></Connector>""".formatted(tls.word(), directory.resolve("keys.p12"), PASSWORD);
        return """
                <Server port="-1"><Service name="shootout">
                  <Connector port="%d" address="127.0.0.1" protocol="%s" acceptCount="4096" maxKeepAliveRequests="-1" %s
                  <Engine name="shootout" defaultHost="localhost">
                    <Host name="localhost" appBase="none" autoDeploy="false">%s</Host>
                  </Engine>
                </Service></Server>
                """.formatted(port, contestant.transport(), tls.isEncrypted() ? encrypted : "/>", contexts);
    }

    /** Ends a server; nothing if it has ended. */
    synchronized void stop(ServerProcess server) {
        servers.remove(server);
        server.close();
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        servers.forEach(ServerProcess::close);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException left) {
            // in the system's directory for temporary files
        }
    }

    synchronized boolean isClosed() {
        return isClosed;
    }
}
