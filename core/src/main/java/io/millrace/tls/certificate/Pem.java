package io.millrace.tls.certificate;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CRL;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads PEM files. The messages of its exceptions continue a sentence that begins with the file's name. */
public final class Pem {

    private Pem() {}

    /** The certificates of a file, in order; at least one. */
    public static List<X509Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (PemBlock block : PemFile.read(file)) {
            if (block.isCertificate()) {
                certificates.add(certificate(block));
            }
        }
        if (certificates.isEmpty()) {
            throw new CertificateException("has no certificate; expected \"-----BEGIN CERTIFICATE-----\"");
        }
        return certificates;
    }

    /** The first private key of a file. */
    public static PrivateKey key(Path file, char[] password) throws IOException, GeneralSecurityException {
        List<PemBlock> blocks = PemFile.read(file);
        byte @Nullable [] curve = null;
        for (PemBlock block : blocks) {
            if (block.label().equals("EC PARAMETERS")) {
                curve = block.bytes();
            } else if (block.isKey()) {
                return PemKey.read(block, curve, password);
            }
        }
        throw new InvalidKeySpecException("has no private key; expected \"-----BEGIN PRIVATE KEY-----\"");
    }

    /** The revocation lists of a file, PEM or DER; at least one. */
    public static Collection<? extends CRL> revocationLists(Path file) throws IOException, GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<CRL> lists = new ArrayList<>();
        for (PemBlock block : PemFile.read(file)) {
            if (block.isRevocationList()) {
                lists.add(factory.generateCRL(new ByteArrayInputStream(block.bytes())));
            }
        }
        return lists.isEmpty()
                ? List.of(factory.generateCRL(new ByteArrayInputStream(Files.readAllBytes(file))))
                : lists;
    }

    private static X509Certificate certificate(PemBlock block) throws CertificateException {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(block.bytes()));
        } catch (CertificateException e) {
            throw new CertificateException("has a malformed certificate in line " + block.line(), e);
        }
    }

    /** Splits a PEM file into blocks. Text outside of them is ignored (RFC 7468, 2). */
    private static final class PemFile {

        /** Far more than any bundle of authorities; prevents reading a wrong, huge file. */
        private static final long MAX_SIZE = 16L << 20;

        private static final String BEGIN = "-----BEGIN ";
        private static final String END = "-----END ";
        private static final String DASHES = "-----";

        private final List<String> lines;
        private int at;

        private PemFile(String text) {
            lines = text.lines().map(String::strip).toList();
        }

        static List<PemBlock> read(Path file) throws IOException {
            if (Files.size(file) > MAX_SIZE) {
                throw new IOException("is larger than " + (MAX_SIZE >> 20) + " MiB");
            }
            return parse(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        }

        static List<PemBlock> parse(String text) throws IOException {
            PemFile file = new PemFile(text);
            List<PemBlock> blocks = new ArrayList<>();
            while (file.at < file.lines.size()) {
                String line = file.lines.get(file.at++);
                if (line.startsWith(BEGIN)
                        && line.endsWith(DASHES)
                        && line.length() >= BEGIN.length() + DASHES.length()) {
                    blocks.add(file.block(line.substring(BEGIN.length(), line.length() - DASHES.length())));
                }
            }
            return blocks;
        }

        private PemBlock block(String label) throws IOException {
            int began = at;
            Map<String, String> headers = headers();
            StringBuilder base64 = new StringBuilder();
            while (at < lines.size()) {
                String line = lines.get(at++);
                if (line.equals(END + label + DASHES)) {
                    return new PemBlock(label, headers, decode(base64.toString(), label, began), began);
                }
                base64.append(line);
            }
            throw new IOException("ends inside the " + label + " of line " + began + "; is it still being written?");
        }

        /** Header fields: name, colon, value (RFC 1421, 4.4). */
        private Map<String, String> headers() {
            Map<String, String> headers = new LinkedHashMap<>();
            while (at < lines.size() && lines.get(at).contains(": ")) {
                String line = lines.get(at++);
                int colon = line.indexOf(':');
                headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
            return headers;
        }

        private static byte[] decode(String base64, String label, int line) throws IOException {
            try {
                return Base64.getDecoder().decode(base64);
            } catch (IllegalArgumentException e) {
                throw new IOException("has a " + label + " in line " + line + " that is not Base64", e);
            }
        }
    }
}
