package io.millrace.examples.struts;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All guests in their order: one book for the application, which Struts's actions, new for each request, share. */
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
