package io.millrace.io;

import org.jspecify.annotations.Nullable;

/**
 * A user whom a trusted front end authenticated.
 *
 * @param name the user name
 * @param authType the authentication scheme, {@code Basic} for example; null if it was not reported
 * @param isMember whether the user must exist in the server's realm, which then supplies the roles; otherwise the user
 *     has no roles
 */
public record FrontEndUser(String name, @Nullable String authType, boolean isMember) {}
