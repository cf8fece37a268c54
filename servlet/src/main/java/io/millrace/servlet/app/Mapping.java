package io.millrace.servlet.app;

import javax.servlet.DispatcherType;
import javax.servlet.http.MappingMatch;
import org.jspecify.annotations.Nullable;

/** One URL pattern of one servlet, with a cache of its filter chains. Thread-safe. */
@SuppressWarnings("EnumOrdinal") // an EnumMap would need a lock
final class Mapping {

    final ServletHolder servlet;
    final String pattern;
    /** Null for a named dispatch. */
    final @Nullable MappingMatch kind;

    /** By dispatcher type. The race is benign: chains are immutable, and may be created twice. */
    private final @Nullable DispatchChain[] chains = new @Nullable DispatchChain[DispatcherType.values().length];

    Mapping(ServletHolder servlet, String pattern, @Nullable MappingMatch kind) {
        this.servlet = servlet;
        this.pattern = pattern;
        this.kind = kind;
    }

    /** Whether the pattern matches one path only. */
    boolean isSinglePath() {
        return kind == MappingMatch.EXACT || kind == MappingMatch.CONTEXT_ROOT;
    }

    @Nullable
    DispatchChain cached(DispatcherType type) {
        return chains[type.ordinal()];
    }

    void cache(DispatcherType type, DispatchChain chain) {
        chains[type.ordinal()] = chain;
    }
}
