package io.millrace.handler;

import io.millrace.handler.AccessNotes.Source;
import io.millrace.handler.AccessNotes.Wanted;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Selects the requests that an access log writes, by attributes of the Servlet API at their end.
 *
 * @param present an attribute that they must have; null for no condition
 * @param absent an attribute that they must not have; null for no condition
 */
record AccessCondition(@Nullable Wanted present, @Nullable Wanted absent) {

    static final AccessCondition ALWAYS = new AccessCondition(null, null);

    static AccessCondition of(@Nullable String present, @Nullable String absent) {
        return new AccessCondition(attribute(present), attribute(absent));
    }

    private static @Nullable Wanted attribute(@Nullable String name) {
        return name == null ? null : new Wanted(Source.REQUEST, name);
    }

    boolean admits(AccessEntry entry) {
        return (present == null || entry.note(present) != null) && (absent == null || entry.note(absent) == null);
    }

    Set<Wanted> wanted() {
        return Stream.of(present, absent).filter(one -> one != null).collect(Collectors.toUnmodifiableSet());
    }
}
