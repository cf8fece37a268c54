package io.millrace.examples.spring;

import java.util.List;
import java.util.concurrent.Callable;
import javax.servlet.http.HttpSession;
import javax.validation.Valid;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The page with the form. */
@Controller
class GuestController {

    private final GuestBook book;

    GuestController(GuestBook book) {
        this.book = book;
    }

    @ModelAttribute("guests")
    List<Guest> guests() {
        return book.guests();
    }

    @GetMapping("/guests")
    String page(Model model) {
        model.addAttribute(new Guest());
        return "guests";
    }

    @PostMapping("/guests")
    String sign(@Valid Guest guest, BindingResult errors, HttpSession session, RedirectAttributes redirect) {
        if (errors.hasErrors()) {
            return "guests";
        }
        book.sign(guest);
        session.setAttribute("you", guest.getName());
        redirect.addFlashAttribute("notice", "Thank you, " + guest.getName() + ".");
        return "redirect:/guests";
    }

    /** The same page, prepared on a thread of Spring's executor and dispatched back to the container. */
    @GetMapping("/later")
    Callable<String> later(Model model) {
        return () -> {
            model.addAttribute("notice", "Made by " + Thread.currentThread().getName());
            return page(model);
        };
    }
}
