package io.millrace.servlet.identity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/** The credentials of a client, to be verified by an {@link IdentityStore}. */
public sealed interface Proof {

    /** The name of the user: the user name, the subject of a certificate, or a Kerberos principal. Not verified yet. */
    String name();

    /**
     * Whether the credentials match the stored password of the user. The time does not depend on where they differ.
     *
     * @param stored the password in the store's format
     */
    boolean matches(String stored, PasswordFormat format);

    /** Whether the credentials were verified elsewhere: the store only looks up the user, and no password can be guessed. */
    default boolean isVerified() {
        return false;
    }

    /** A name and a password: BASIC, FORM and {@code HttpServletRequest.login}. */
    record Password(String name, String password) implements Proof {

        @Override
        public boolean matches(String stored, PasswordFormat format) {
            return format.matches(stored, password);
        }

        /** Without the password. */
        @Override
        public String toString() {
            return "the password of " + name;
        }
    }

    /**
     * A response to a DIGEST challenge (RFC 7616, 3.4.1).
     *
     * @param rest the input of the digest after H(A1): nonce, count, client nonce, qop and H(A2), separated by colons
     * @param response in lower-case hex
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
     * A client certificate, which the TLS layer has verified as its connector is configured to.
     *
     * @param chain the client's own certificate first
     */
    record Certificate(List<X509Certificate> chain) implements Proof {

        /** The subject's distinguished name, in the syntax of Tomcat's users files: {@code CN=ann, O=Example}. */
        @Override
        public String name() {
            return chain.get(0).getSubjectX500Principal().toString();
        }

        /** True while the certificate has not expired: the TLS handshake has proved possession of its key. */
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

    /** The user name that a trusted front end, which authenticated the user, sent with the request. */
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
     * @param name the principal with its realm, such as {@code ann@EXAMPLE.ORG}
     */
    record Kerberos(String name) implements Proof {

        /** This proof with the realm removed from the name. */
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
