package io.millrace.tls.material;

import io.millrace.tls.Keystore;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.certificate.KeyEntry;
import io.millrace.tls.certificate.Pem;
import io.millrace.tls.certificate.StoreReader;
import io.millrace.tls.certificate.WrongPasswordException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.security.KeyStore;
import java.security.NoSuchProviderException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Reads the key and the chain of a {@link TlsCertificate}. Exceptions name the setting to correct. */
final class CertificateLoader {

    private CertificateLoader() {}

    static KeyEntry load(TlsCertificate certificate) {
        try {
            if (certificate instanceof TlsCertificate.Pem pem) {
                return load(pem);
            }
            return certificate instanceof TlsCertificate.Stored stored
                    ? load(stored)
                    : load((TlsCertificate.Loaded) certificate);
        } catch (TlsConfigurationException e) {
            throw e.at(certificate);
        }
    }

    private static KeyEntry load(TlsCertificate.Pem pem) {
        List<X509Certificate> certificates =
                new ArrayList<>(Reading.file(TlsSetting.CERTIFICATE_FILE, pem.certificateFile(), Pem::certificates));
        Path chainFile = pem.chainFile();
        if (chainFile != null) {
            certificates.addAll(Reading.file(TlsSetting.CHAIN_FILE, chainFile, Pem::certificates));
        }
        Path keyFile = pem.keyFile();
        TlsSetting keySetting = keyFile == null ? TlsSetting.CERTIFICATE_FILE : TlsSetting.KEY_FILE;
        char[] password = Reading.password(TlsSetting.KEY_PASSWORD, pem.keyPassword());
        Path from = keyFile == null ? pem.certificateFile() : keyFile;
        PrivateKey key = key(keySetting, from, password);
        try {
            return KeyEntry.of(key, certificates);
        } catch (KeyException e) {
            String message = from + ": " + e.getMessage() + " in " + pem.certificateFile();
            throw new TlsConfigurationException(keySetting, message, e);
        } catch (GeneralSecurityException e) {
            throw Reading.failure(keySetting, from, e);
        }
    }

    private static PrivateKey key(TlsSetting setting, Path file, char[] password) {
        try {
            return Pem.key(file, password);
        } catch (WrongPasswordException e) {
            throw Reading.failure(TlsSetting.KEY_PASSWORD, file, e);
        } catch (IOException | GeneralSecurityException e) {
            throw Reading.failure(setting, file, e);
        }
    }

    private static KeyEntry load(TlsCertificate.Stored stored) {
        Keystore keystore = stored.store();
        char[] password = Reading.password(TlsSetting.KEYSTORE_PASSWORD, keystore.password());
        KeyStore store = open(keystore, password, TlsSetting.KEYSTORE_FILE);
        char[] keyPassword = stored.keyPassword().isNone()
                ? password
                : Reading.password(TlsSetting.KEY_PASSWORD, stored.keyPassword());
        try {
            return StoreReader.entry(store, stored.alias(), keyPassword);
        } catch (WrongPasswordException e) {
            throw new TlsConfigurationException(
                    TlsSetting.KEY_PASSWORD,
                    keystore.file() + ": its key cannot be decrypted with the given password",
                    e);
        } catch (GeneralSecurityException e) {
            throw Reading.failure(TlsSetting.KEYSTORE_ALIAS, keystore.file(), e);
        }
    }

    private static KeyEntry load(TlsCertificate.Loaded loaded) {
        char[] password = Reading.password(TlsSetting.KEY_PASSWORD, loaded.keyPassword());
        try {
            return StoreReader.entry(loaded.store(), loaded.alias(), password);
        } catch (WrongPasswordException e) {
            throw new TlsConfigurationException(
                    TlsSetting.KEY_PASSWORD,
                    "the key of the loaded keystore cannot be decrypted with the given password",
                    e);
        } catch (GeneralSecurityException e) {
            throw new TlsConfigurationException(TlsSetting.KEYSTORE_ALIAS, "the loaded keystore " + e.getMessage(), e);
        }
    }

    static KeyStore open(Keystore keystore, char[] password, TlsSetting setting) {
        try {
            return StoreReader.open(
                    keystore.file(),
                    keystore.type(),
                    keystore.provider(),
                    keystore.password().isNone() ? null : password);
        } catch (WrongPasswordException e) {
            TlsSetting wrong = setting == TlsSetting.KEYSTORE_FILE ? TlsSetting.KEYSTORE_PASSWORD : setting;
            throw Reading.failure(wrong, keystore.file(), e);
        } catch (java.security.KeyStoreException | NoSuchProviderException e) {
            TlsSetting wrong = setting == TlsSetting.KEYSTORE_FILE ? TlsSetting.KEYSTORE_TYPE : setting;
            throw Reading.failure(wrong, keystore.file(), e);
        } catch (IOException | GeneralSecurityException e) {
            throw Reading.failure(setting, keystore.file(), e);
        }
    }
}
