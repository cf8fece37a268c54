package io.millrace.servlet.identity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/** What a client shows to prove who it is. */
public sealed interface Proof {

    /** Whom it is about: the user's name, or a certificate's subject. Not proved yet. */
    String name();

    /**
     * True if it proves what a store keeps of that name. Takes the same time wherever the difference is.
     *
     * @param stored a password, or what the format makes of one
     */
    boolean matches(String stored, PasswordFormat format);

    /** True if somebody else has verified it: a store only has to know the name, and nobody gets there by guessing. */
    default boolean isVerified() {
        return false;
    }

    /** A name and a password: BASIC, FORM and {@code HttpServletRequest.login}. */
    record Password(String name, String password) implements Proof {

        @Override
        public boolean matches(String stored, PasswordFormat format) {
            return format.matches(stored, password);
        }

        /** Never the password. */
        @Override
        public String toString() {
            return "the password of " + name;
        }
    }

    /**
     * A response to a DIGEST challenge (RFC 7616, 3.4.1).
     *
     * @param rest what is digested behind H(A1): nonce, count, client nonce, qop and H(A2), with colons between them
     * @param response in hex
     */
    record Digest(String name, String realm, DigestAlgorithm algorithm, String rest, String response) implements Proof {

        @Override
        public boolean matches(String stored, PasswordFormat format) {
            String secret = format.digestSecret(stored, name, realm, algorithm);
            String expected = algorithm.hex((secret == null ? "" : secret) + ":" + rest);
            boolean equal = MessageDigest.isEqual(expected.getBytes(US_ASCII), response.getBytes(US_ASCII));
            return secret != null && equal;
        }
    }

    /**
     * A client's certificate, which the TLS layer has verified as far as its connector asks.
     *
     * @param chain the client's own first
     */
    record Certificate(List<X509Certificate> chain) implements Proof {

        /** The subject's distinguished name, written as Tomcat has it in its users files: {@code CN=ann, O=Example}. */
        @Override
        public String name() {
            return chain.get(0).getSubjectX500Principal().toString();
        }

        /** True while it is valid: the holder of its key needs no password. */
        @Override
        public boolean matches(String stored, PasswordFormat format) {
            try {
                chain.get(0).checkValidity();
                return true;
            } catch (CertificateException expired) {
                return false;
            }
        }

        @Override
        public boolean isVerified() {
            return true;
        }
    }

    /** The word of a trusted front end that has logged the user in itself. */
    record Relayed(String name) implements Proof {

        /** True: only the name has to be known. */
        @Override
        public boolean matches(String stored, PasswordFormat format) {
            return true;
        }

        @Override
        public boolean isVerified() {
            return true;
        }
    }

    /**
     * A Kerberos ticket, which GSS-API has verified (SPNEGO, RFC 4559).
     *
     * @param name of the principal, with its realm: {@code ann@EXAMPLE.ORG}
     */
    record Kerberos(String name) implements Proof {

        /** The same, whatever its realm. */
        public Kerberos withoutRealm() {
            int at = name.lastIndexOf('@');
            return at <= 0 ? this : new Kerberos(name.substring(0, at));
        }

        /** True: only the name has to be known. */
        @Override
        public boolean matches(String stored, PasswordFormat format) {
            return true;
        }

        @Override
        public boolean isVerified() {
            return true;
        }
    }
}
