package io.millrace.tls.material;

import io.millrace.text.Plural;
import io.millrace.tls.certificate.KeyEntry;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Describes certificates. */
final class CertificateText {

    /** Warn from this time before expiry: certificates of Let's Encrypt are renewed 30 days ahead. */
    private static final Duration SOON = Duration.ofDays(30);

    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private CertificateText() {}

    /** {@code RSA 2048 CN=example.com for example.com, www.example.com until 2027-01-31}. */
    static String describe(KeyEntry entry) {
        X509Certificate certificate = entry.certificate();
        List<String> names = names(certificate);
        return entry.type() + size(entry) + " "
                + certificate.getSubjectX500Principal().getName()
                + (names.isEmpty() ? "" : " for " + String.join(", ", names)) + " until " + expiry(certificate);
    }

    /** Warnings about its validity period. */
    static List<String> warnings(KeyEntry entry, Instant now) {
        X509Certificate certificate = entry.certificate();
        Instant end = certificate.getNotAfter().toInstant();
        String who =
                "the certificate of " + certificate.getSubjectX500Principal().getName();
        List<String> warnings = new ArrayList<>();
        if (certificate.getNotBefore().toInstant().isAfter(now)) {
            warnings.add(
                    who + " is not valid before " + certificate.getNotBefore().toInstant() + "; clients reject it");
        }
        if (end.isBefore(now)) {
            warnings.add(who + " expired on " + expiry(certificate) + "; clients reject it");
        } else if (end.isBefore(now.plus(SOON))) {
            long days = Duration.between(now, end).toDays();
            warnings.add(who + " expires in " + Plural.of(days, "day") + ", on " + expiry(certificate));
        }
        return warnings;
    }

    private static LocalDate expiry(X509Certificate certificate) {
        return LocalDate.ofInstant(certificate.getNotAfter().toInstant(), ZoneOffset.UTC);
    }

    private static String size(KeyEntry entry) {
        if (entry.certificate().getPublicKey() instanceof RSAKey rsa) {
            return " " + rsa.getModulus().bitLength();
        }
        return entry.certificate().getPublicKey() instanceof ECKey ec
                ? " " + ec.getParams().getCurve().getField().getFieldSize()
                : "";
    }

    private static List<String> names(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            for (List<?> name : all == null ? List.<List<?>>of() : all) {
                if (name.get(0).equals(DNS_NAME) || name.get(0).equals(IP_ADDRESS)) {
                    names.add(String.valueOf(name.get(1)));
                }
            }
        } catch (CertificateParsingException e) {
            names.add("unreadable names");
        }
        return names;
    }
}
