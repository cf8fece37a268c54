package io.millrace.tls.certificate;

import java.io.ByteArrayInputStream;
import java.io.IOException;
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
import java.util.Collection;
import java.util.List;
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
}
