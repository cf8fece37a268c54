package io.millrace.handler;

import io.millrace.handler.AccessNotes.Source;
import io.millrace.handler.AccessNotes.Wanted;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which requests an access log tells of, by attributes of the Servlet API at their end.
 *
 * @param present one that they have; null for any
 * @param absent one that they don't have; null for none
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
