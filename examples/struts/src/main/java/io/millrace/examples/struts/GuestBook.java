package io.millrace.examples.struts;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All guests in order. One instance is shared by Struts's actions, of which each request has its own. */
final class GuestBook {

    static final GuestBook SHARED = new GuestBook();

    private final List<Guest> guests = new CopyOnWriteArrayList<>();

    List<Guest> guests() {
        return guests;
    }

    void sign(Guest guest) {
        guests.add(guest);
    }
}
