package io.millrace.tls;

import java.nio.file.Path;
import java.security.KeyStore;
import org.jspecify.annotations.Nullable;

/** The location of a certificate, its chain and its private key. Nothing is read before an engine needs it. */
public sealed interface TlsCertificate {

    /**
     * PEM files.
     *
     * @param certificateFile the certificate; may also contain its chain and the key
     * @param keyFile the private key (PKCS#8, PKCS#1 or SEC 1); null if it is in the certificate's file
     * @param chainFile the certificates between this one and the root; null if they are in the certificate's file
     * @param keyPassword the password of an encrypted key
     */
    record Pem(
            Path certificateFile,
            @Nullable Path keyFile,
            @Nullable Path chainFile,
            Password keyPassword) implements TlsCertificate {}

    /**
     * An entry of a keystore.
     *
     * @param store the keystore
     * @param alias of the entry; null for the first one with a key
     * @param keyPassword {@link Password#NONE} if it is that of the keystore
     */
    record Stored(Keystore store, @Nullable String alias, Password keyPassword) implements TlsCertificate {}

    /**
     * An entry of a keystore that the program has loaded, from a vault for example. It is read again by {@link
     * io.millrace.Server#reloadTls}, and is not watched.
     *
     * @param store the keystore
     * @param alias of the entry; null for the first one with a key
     * @param keyPassword of the key
     */
    record Loaded(KeyStore store, @Nullable String alias, Password keyPassword) implements TlsCertificate {}
}
