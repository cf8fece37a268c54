package io.millrace.tls.certificate;

import java.security.GeneralSecurityException;

/** A key or keystore does not open with the password given, or needs one and none was given. */
public final class WrongPasswordException extends GeneralSecurityException {

    private static final long serialVersionUID = 1;

    WrongPasswordException(Throwable cause) {
        super("does not open with the password given", cause);
    }

    WrongPasswordException(String message) {
        super(message);
    }
}
