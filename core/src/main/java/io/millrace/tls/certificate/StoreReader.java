package io.millrace.tls.certificate;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads keystores. The messages of its exceptions continue a sentence that begins with the file's name. */
public final class StoreReader {

    private StoreReader() {}

    /** Opens a keystore; its type or provider is detected if it is null. */
    public static KeyStore open(Path file, @Nullable String type, @Nullable String provider, char @Nullable [] password)
            throws IOException, GeneralSecurityException {
        try {
            if (type == null) {
                return KeyStore.getInstance(file.toFile(), password);
            }
            KeyStore store = provider == null ? KeyStore.getInstance(type) : KeyStore.getInstance(type, provider);
            try (InputStream in = Files.newInputStream(file)) {
                store.load(in, password);
            }
            return store;
        } catch (IOException e) {
            if (e.getCause() instanceof UnrecoverableKeyException) {
                throw new WrongPasswordException(e);
            }
            throw e;
        }
    }

    /** The key and chain of an alias; null for the first key. */
    public static KeyEntry entry(KeyStore store, @Nullable String alias, char[] password)
            throws GeneralSecurityException {
        String chosen = alias == null ? firstKey(store) : alias;
        if (!store.isKeyEntry(chosen)) {
            throw new KeyStoreException("has no key under the alias " + chosen + "; it has " + keys(store));
        }
        try {
            PrivateKey key = (PrivateKey) store.getKey(chosen, password);
            List<X509Certificate> chain = new ArrayList<>();
            for (Certificate certificate : store.getCertificateChain(chosen)) {
                chain.add((X509Certificate) certificate);
            }
            return KeyEntry.of(key, chain);
        } catch (UnrecoverableKeyException e) {
            throw new WrongPasswordException(e);
        }
    }

    /** All trusted certificates. */
    public static List<X509Certificate> trusted(KeyStore store) throws KeyStoreException {
        List<X509Certificate> trusted = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isCertificateEntry(alias) && store.getCertificate(alias) instanceof X509Certificate certificate) {
                trusted.add(certificate);
            }
        }
        return trusted;
    }

    private static String firstKey(KeyStore store) throws KeyStoreException {
        List<String> keys = keys(store);
        if (keys.isEmpty()) {
            throw new KeyStoreException("has no private key");
        }
        return keys.get(0);
    }

    private static List<String> keys(KeyStore store) throws KeyStoreException {
        List<String> keys = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                keys.add(alias);
            }
        }
        return keys;
    }
}
