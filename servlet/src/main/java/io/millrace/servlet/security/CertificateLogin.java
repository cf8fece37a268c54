package io.millrace.servlet.security;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import java.security.cert.X509Certificate;
import java.util.List;

/** The CLIENT-CERT method: the certificate that the client sent in the TLS handshake. The status codes are Tomcat's. */
record CertificateLogin(IdentityStore store) implements LoginMethod {

    private static final Outcome NONE = new Outcome.Answered(
            new Verdict.Refused(401, "This resource requires a client certificate, but the client sent none."));
    private static final Outcome UNKNOWN = new Outcome.Answered(
            new Verdict.Refused(401, "Your client certificate is unknown here, or it has expired."));

    @Override
    public String authType() {
        return "CLIENT_CERT"; // HttpServletRequest.CLIENT_CERT_AUTH
    }

    @Override
    public boolean isRemembered() {
        return true;
    }

    @Override
    public Outcome authenticate(LoginRequest login) {
        List<X509Certificate> chain = login.request().certificates();
        if (chain.isEmpty()) {
            return NONE;
        }
        Identity identity = store.verify(new Proof.Certificate(chain));
        return identity == null ? UNKNOWN : new Outcome.Proved(identity);
    }
}
