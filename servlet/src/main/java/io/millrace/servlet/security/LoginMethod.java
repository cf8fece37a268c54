package io.millrace.servlet.security;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.session.DelegatedCredential;
import org.jspecify.annotations.Nullable;

/** A way to find out who sends a request. One for all requests of an application; any thread. */
interface LoginMethod {

    /** What asking came to. */
    sealed interface Outcome {

        /**
         * The request proves who sent it.
         *
         * @param credential what they delegated; null: nothing
         * @param password by which they proved it; null: by something else
         */
        record Proved(Identity identity, @Nullable DelegatedCredential credential, Proof.@Nullable Password password)
                implements Outcome {

            Proved(Identity identity, @Nullable DelegatedCredential credential) {
                this(identity, credential, null);
            }

            Proved(Identity identity, Proof.Password password) {
                this(identity, null, password);
            }

            Proved(Identity identity) {
                this(identity, null, null);
            }
        }

        /** It does not; this is the answer. */
        record Answered(Verdict verdict) implements Outcome {}
    }

    /** As getAuthType has it. */
    String authType();

    /** True if a session remembers who proved to be who; false if each request is to prove it anew. */
    boolean isRemembered();

    /**
     * Looks at what the request itself shows. May block.
     *
     * @throws io.millrace.servlet.identity.StoreUnavailableException if the store can't tell
     */
    Outcome ask(LoginRequest request);

    /** Serves a request that is the method's own affair, constrained or not; null if it is the application's. */
    default @Nullable Verdict serve(LoginRequest request) {
        return null;
    }

    /** True for a page that must be seen by those who have not logged in, whatever constrains it. */
    default boolean isOpen(String path) {
        return false;
    }
}
