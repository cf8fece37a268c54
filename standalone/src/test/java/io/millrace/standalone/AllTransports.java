package io.millrace.standalone;

import io.millrace.testkit.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One server.xml with every transport, plain and with either kind of TLS, that serves the examples; started. A port with
 * TLS is called by its transport, and {@code nio+openssl} if OpenSSL does it.
 */
final class AllTransports implements AutoCloseable {

    static final List<String> TRANSPORTS = Transports.installed();

    private static final String BY_OPENSSL = "+openssl";

    /** All ports with TLS. */
    static final List<String> TLS = TRANSPORTS.stream()
            .flatMap(transport -> EitherTls.installed().stream()
                    .map(tls -> tls == EitherTls.JSSE ? transport : transport + BY_OPENSSL))
            .toList();

    /** Of each transport: a plain one, and one for each implementation of TLS. */
    private static final int PORTS = 1 + EitherTls.installed().size();

    private static final String HOSTS = """
            <SSLHostConfig>
              <Certificate certificateFile="certs/localhost.pem" certificateKeyFile="certs/localhost.key"/>
            </SSLHostConfig>
            <SSLHostConfig hostName="*.other.test">
              <Certificate certificateFile="certs/other.pem" certificateKeyFile="certs/other.key"/>
            </SSLHostConfig>
            <SSLHostConfig hostName="required.test" certificateVerification="required"
                caCertificateFile="certs/ca.pem">
              <Certificate certificateFile="certs/localhost.pem" certificateKeyFile="certs/localhost.key"/>
            </SSLHostConfig>
            <SSLHostConfig hostName="optional.test" certificateVerification="optional"
                caCertificateFile="certs/ca.pem">
              <Certificate certificateFile="certs/localhost.pem" certificateKeyFile="certs/localhost.key"/>
            </SSLHostConfig>
            """;

    private final CertificateAuthority authority;
    private final Product product;

    private AllTransports(CertificateAuthority authority, Product product) {
        this.authority = authority;
        this.product = product;
    }

    /** Starts it and waits until it serves. */
    static AllTransports start(Path base) throws Exception {
        CertificateAuthority authority = prepare(base);
        return new AllTransports(authority, Product.serving("start", "--base=" + base));
    }

    /** The same in a process of its own. */
    static AllTransports process(Path base) throws Exception {
        CertificateAuthority authority = prepare(base);
        return new AllTransports(authority, Product.process().serving("start", "--base=" + base));
    }

    private static CertificateAuthority prepare(Path base) throws Exception {
        CertificateAuthority authority = new CertificateAuthority(base.resolve("certs"));
        authority.makeRsa("localhost", "localhost", "localhost", "required.test", "optional.test");
        authority.makeEc("other", "other", "*.other.test");
        authority.makeEc("client", "client of a test");
        Files.writeString(Files.createDirectories(base.resolve("conf")).resolve("server.xml"), serverXml());
        Files.copy(
                Product.EXAMPLES,
                Files.createDirectories(base.resolve("webapps")).resolve("ROOT.war"));
        return authority;
    }

    private static String serverXml() {
        StringBuilder connectors = new StringBuilder();
        for (String transport : TRANSPORTS) {
            String common = "<Connector port=\"0\" address=\"127.0.0.1\" protocol=\"" + transport + "\" ";
            connectors.append(common).append("/>\n");
            for (EitherTls implementation : EitherTls.installed()) {
                connectors
                        .append(common)
                        .append(
                                "SSLEnabled=\"true\" scheme=\"https\" secure=\"true\" tlsReloadInterval=\"500\" sslImplementation=\"")
                        .append(implementation)
                        .append("\">\n")
                        .append(HOSTS)
                        .append("</Connector>\n");
            }
        }
        return "<Server><Service>\n" + connectors + "<Engine><Host/></Engine></Service></Server>\n";
    }

    CertificateAuthority authority() {
        return authority;
    }

    Product product() {
        return product;
    }

    int plainPort(String name) {
        return product.ports().get(PORTS * index(name));
    }

    int tlsPort(String name) {
        return product.ports().get(PORTS * index(name) + (name.endsWith(BY_OPENSSL) ? 2 : 1));
    }

    private static int index(String name) {
        return TRANSPORTS.indexOf(name.replace(BY_OPENSSL, ""));
    }

    OpensslClient openssl(String name) {
        return new OpensslClient(tlsPort(name), authority);
    }

    /** The address of a path, http or https. */
    String url(String name, String scheme, String path) {
        int port = scheme.equals("https") ? tlsPort(name) : plainPort(name);
        return scheme + "://localhost:" + port + path;
    }

    /** What a user of curl types, with the test's authority trusted. */
    String curl(String... arguments) throws IOException, InterruptedException {
        return Curl.run(trusting(arguments));
    }

    String[] trusting(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "--cacert";
        all[1] = authority.root().toString();
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return all;
    }

    @Override
    public void close() {
        product.close();
    }
}
