package io.millrace.http;

import org.jspecify.annotations.Nullable;

/**
 * A request's path, taken apart in the one place where that is done: parameters cut, percent-escapes decoded once, dots
 * resolved. Nothing downstream decodes again.
 *
 * @param raw as sent, without the query
 * @param decoded begins with a slash, has no {@code .} or {@code ..} segment, no {@code //}, no parameters
 * @param parameters the {@code ;name=value} parameters of all segments, as sent, each with its semicolon; null if none
 */
public record RequestPath(
        String raw, String decoded, @Nullable String parameters) {}
