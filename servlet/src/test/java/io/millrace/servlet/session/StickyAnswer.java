package io.millrace.servlet.session;

/**
 * Where a request with a session id gets its session, if sessions are sticky: the table of {@link StickySessions}.
 *
 * <pre>
 * in memory     route of the id   store     answer
 * OWN           OWN               any       MEMORY        after a poll for changes of owners
 * OWN           OTHER, NONE       FINE      STORE         another server may have changed or ended it
 * STALE         any               FINE      STORE         another server has taken it over since
 * NONE          any               FINE      STORE         taken over, or there is none
 * ARRIVING      any               FINE      STORE         waits for the request that takes it over
 * (all others)  any               FAILING,  UNAVAILABLE   503: it may have been ended elsewhere
 *                                 HUNG
 * </pre>
 */
enum StickyAnswer {
    /** The session as it is in memory. */
    MEMORY,
    /** The session as it is in the store, which belongs to this server from now on; or none, if it is not there. */
    STORE,
    /** {@link SessionUnavailableException}. */
    UNAVAILABLE;

    /** What this server's memory has. */
    enum Place {
        /** A session that no other server has taken over. */
        OWN,
        /** A session that another server has taken over. */
        STALE,
        NONE,
        /** None yet: another request is taking it over. */
        ARRIVING
    }

    /** The route in the id that the client sent. */
    enum Route {
        OWN,
        OTHER,
        NONE
    }

    /** The store. */
    enum Health {
        FINE,
        FAILING,
        HUNG
    }

    static StickyAnswer of(Place place, Route route, Health store) {
        if (place == Place.OWN && route == Route.OWN) {
            return MEMORY;
        }
        return store == Health.FINE ? STORE : UNAVAILABLE;
    }
}
