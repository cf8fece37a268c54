package io.millrace.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** Makes certificates with openssl, for one test, in its directory: NAME.pem and NAME.key. */
final class CertificateAuthority {

    private static final List<String> RSA = List.of("-newkey", "rsa:2048");
    private static final List<String> EC = List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1");

    private final Path directory;
    private final Path config;

    CertificateAuthority(Path directory) throws Exception {
        this.directory = Files.createDirectories(directory);
        this.config = Files.writeString(directory.resolve("openssl.cnf"), "[req]\ndistinguished_name=dn\n[dn]\n");
        make("ca", EC, List.of("-subj", "/CN=Test CA", "-addext", "basicConstraints=critical,CA:TRUE"));
    }

    /** The certificate that all others are signed with. */
    Path root() {
        return certificate("ca");
    }

    Path certificate(String name) {
        return directory.resolve(name + ".pem");
    }

    Path key(String name) {
        return directory.resolve(name + ".key");
    }

    /** The day on which a certificate's time is over, in UTC. */
    LocalDate lastDay(String name) throws Exception {
        try (InputStream in = Files.newInputStream(certificate(name))) {
            X509Certificate read =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            return LocalDate.ofInstant(read.getNotAfter().toInstant(), ZoneOffset.UTC);
        }
    }

    /** A certificate of a server, of an RSA key. */
    void makeRsa(String name, String commonName, String... dnsNames) throws Exception {
        make(name, RSA, signed("ca", "FALSE", commonName, dnsNames));
    }

    /** A certificate of a server or a client, of an elliptic curve's key. */
    void makeEc(String name, String commonName, String... dnsNames) throws Exception {
        make(name, EC, signed("ca", "FALSE", commonName, dnsNames));
    }

    /** An authority below this one, and a client's certificate that it signed. */
    void makeIntermediate(String name, String client) throws Exception {
        make(name, EC, signed("ca", "TRUE", name));
        make(client, EC, signed(name, "FALSE", client));
    }

    /** A certificate that nobody else has signed. */
    void makeSelfSigned(String name) throws Exception {
        make(name, EC, List.of("-subj", "/CN=" + name));
    }

    /** The list of certificates revoked, with this one on it; PEM. */
    Path revoke(String name) throws Exception {
        Path config = Files.writeString(
                directory.resolve("revoke.cnf"), """
                [ca]
                default_ca = own
                [own]
                database = %s
                default_md = sha256
                default_crl_days = 2
                """.formatted(Files.writeString(directory.resolve("index.txt"), "")));
        ca(config, "-revoke", certificate(name).toString());
        Path list = directory.resolve("revoked.crl");
        ca(config, "-gencrl", "-out", list.toString());
        return list;
    }

    /** What this authority's responder says of a certificate that it signed: good. */
    Path vouch(String name) throws Exception {
        String certificate = certificate(name).toString();
        String root = root().toString();
        String serial = Command.succeed("openssl", "x509", "-in", certificate, "-noout", "-serial")
                .strip()
                .substring("serial=".length());
        String line = "V\t401231000000Z\t\t" + serial + "\tunknown\t/CN=" + name + "\n";
        String index =
                Files.writeString(directory.resolve(name + ".index"), line).toString();
        Path response = directory.resolve(name + ".ocsp");
        List<String> words = new ArrayList<>(List.of("openssl", "ocsp", "-index", index, "-ndays", "1"));
        words.addAll(List.of("-rsigner", root, "-rkey", key("ca").toString(), "-CA", root, "-issuer", root));
        words.addAll(List.of("-cert", certificate, "-respout", response.toString()));
        Command.succeed(words.toArray(String[]::new));
        return response;
    }

    private void ca(Path config, String... rest) throws Exception {
        List<String> words = new ArrayList<>(List.of("openssl", "ca", "-config", config.toString()));
        words.addAll(List.of("-cert", root().toString(), "-keyfile", key("ca").toString()));
        words.addAll(List.of(rest));
        Command.succeed(words.toArray(String[]::new));
    }

    private List<String> signed(String issuer, String isAuthority, String commonName, String... dnsNames) {
        List<String> words = new ArrayList<>(List.of("-subj", "/CN=" + commonName));
        words.addAll(List.of(
                "-CA", certificate(issuer).toString(), "-CAkey", key(issuer).toString()));
        words.addAll(List.of("-addext", "basicConstraints=CA:" + isAuthority));
        if (dnsNames.length > 0) {
            words.addAll(List.of("-addext", "subjectAltName=DNS:" + String.join(",DNS:", dnsNames)));
        }
        return words;
    }

    private void make(String name, List<String> kind, List<String> rest) throws Exception {
        List<String> words = new ArrayList<>(List.of("openssl", "req", "-x509", "-nodes", "-days", "2"));
        words.addAll(List.of("-config", config.toString()));
        words.addAll(kind);
        words.addAll(rest);
        words.addAll(List.of(
                "-out", certificate(name).toString(), "-keyout", key(name).toString()));
        Command.succeed(words.toArray(String[]::new));
    }

    /** Puts a certificate and its key in the place of others, as an ACME client does: each file by one rename. */
    void replace(String name, String by) throws IOException {
        replace(key(name), Files.readString(key(by)));
        replace(certificate(name), Files.readString(certificate(by)));
    }

    static void replace(Path file, String content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(fresh, content);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
