package io.millrace.io;

import org.jspecify.annotations.Nullable;

/**
 * Whom a trusted front end has logged in.
 *
 * @param name as the front end knows him
 * @param authType how: {@code Basic}, for one; null if it did not say
 * @param isMember true if he must be known here too, where his roles are; false: he is who the front end says, without roles
 */
public record FrontEndUser(String name, @Nullable String authType, boolean isMember) {}
