package io.millrace.tls.certificate;

import java.security.GeneralSecurityException;

/** A key or keystore cannot be decrypted with the given password, or is encrypted and no password was given. */
public final class WrongPasswordException extends GeneralSecurityException {

    private static final long serialVersionUID = 1;

    WrongPasswordException(Throwable cause) {
        super("cannot be decrypted with the given password", cause);
    }

    WrongPasswordException(String message) {
        super(message);
    }
}
