package io.millrace.examples.struts;

import com.opensymphony.xwork2.ActionSupport;
import java.util.List;

/** The page with all guests and the form, or the guests as JSON. */
public class GuestsAction extends ActionSupport {

    public List<Guest> getGuests() {
        return GuestBook.SHARED.guests();
    }
}
