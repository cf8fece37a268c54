package io.millrace.samples;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.tls.ClientVerification;
import io.millrace.tls.Password;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;

/** TLS in the guide. */
final class Tls {

    private Tls() {}

    static Connector simple(Path directory) {
        // tag::tls-simple
        TlsOptions tls = TlsOptions.pem(directory.resolve("fullchain.pem"), directory.resolve("privkey.pem"));
        Connector connector = Connector.builder().port(0).tls(tls).build();
        // end::tls-simple
        return connector;
    }

    static TlsOptions byOpenSsl(Path certificate, Path key) {
        // tag::tls-openssl
        TlsOptions tls = TlsOptions.pem(certificate, key)
                .with(TlsOptions.IMPLEMENTATION, TlsImplementation.AUTO); // OpenSSL if available, otherwise the JDK's
        // end::tls-openssl
        return tls;
    }

    static TlsClientOptions client(Path authorities, TlsCertificate own) {
        // tag::tls-client
        TlsClientOptions client = TlsClientOptions.DEFAULT
                .with(TlsOptions.IMPLEMENTATION, TlsImplementation.AUTO)
                .with(TlsHost.CA_CERTIFICATE_FILE, authorities) // these and no others; otherwise those of the JDK
                .withCertificate(own);
        // end::tls-client
        return client;
    }

    static TlsHost stapled(Path certificate, Path key, Path response) {
        // tag::tls-stapled
        TlsHost shop = TlsHost.named("shop.example.com").pem(certificate, key).ocspResponseFile(response);
        // end::tls-stapled
        return shop;
    }

    static List<String> reload(Server server) {
        // tag::tls-reload
        List<String> failures = server.reloadTls(); // empty if all files are in use
        // end::tls-reload
        return failures;
    }

    static TlsOptions loaded(KeyStore own, String keyPassword, KeyStore partners) {
        // tag::tls-loaded
        TlsOptions tls = TlsOptions.of(TlsHost.any()
                .keystore(own, keyPassword) // a java.security.KeyStore
                .with(TlsHost.CERTIFICATE_VERIFICATION, ClientVerification.OPTIONAL)
                .truststore(partners)); // likewise: who issues clients' certificates
        // end::tls-loaded
        return tls;
    }

    static TlsOptions several(Path rsa, Path key, Path chain, Path ec, Path ecKey, Path keystore, Path authorities) {
        // tag::tls-several
        TlsHost shop = TlsHost.named("shop.example.com")
                .certificate(new TlsCertificate.Pem(rsa, key, chain, Password.of("secret"))) // an encrypted key
                .pem(ec, ecKey); // a second certificate, for clients that know elliptic curves
        TlsHost partners = TlsHost.named("*.partners.example.com")
                .keystore(keystore, "changeit")
                .with(TlsHost.CERTIFICATE_VERIFICATION, ClientVerification.REQUIRED)
                .with(TlsHost.CA_CERTIFICATE_FILE, authorities);
        TlsOptions tls = TlsOptions.of(shop, partners).with(TlsOptions.DEFAULT_HOST, "shop.example.com");
        // end::tls-several
        return tls;
    }
}
