package io.millrace.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a certificate, its chain and its private key are to be found. Values as configured: nothing is read before an
 * engine needs it.
 */
public sealed interface TlsCertificate {

    /**
     * PEM files.
     *
     * @param certificateFile the certificate; may go on with its chain and may hold the key
     * @param keyFile the private key (PKCS#8, PKCS#1 or SEC 1); null if it is in the certificate's file
     * @param chainFile the certificates between this one and the root; null if they are in the certificate's file
     * @param keyPassword if the key is encrypted
     */
    record Pem(
            Path certificateFile,
            @Nullable Path keyFile,
            @Nullable Path chainFile,
            Password keyPassword) implements TlsCertificate {}

    /**
     * An entry of a keystore.
     *
     * @param store the file
     * @param alias of the entry; null for the first that holds a key
     * @param keyPassword {@link Password#NONE} if it is the keystore's
     */
    record Stored(Keystore store, @Nullable String alias, Password keyPassword) implements TlsCertificate {}
}
