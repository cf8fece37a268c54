package io.millrace.examples.spring;

import java.util.List;
import java.util.function.Consumer;
import javax.validation.Valid;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** The guests as JSON. */
@RestController
@RequestMapping("/api/guests")
class GuestApi {

    private final GuestBook book;

    GuestApi(GuestBook book) {
        this.book = book;
    }

    @GetMapping
    List<Guest> all() {
        return book.guests();
    }

    @GetMapping("/{number}")
    Guest one(@PathVariable int number) {
        List<Guest> guests = book.guests();
        if (number < 0 || number >= guests.size()) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, "no guest " + number);
        }
        return guests.get(number);
    }

    @PostMapping
    ResponseEntity<Guest> sign(@Valid @RequestBody Guest guest) {
        book.sign(guest);
        return ResponseEntity.created(ServletUriComponentsBuilder.fromCurrentRequest()
                        .path("/{number}")
                        .build(book.guests().size() - 1))
                .body(guest);
    }

    /** Responds when the next guest has signed, or with 204 after {@code ?ms=}. */
    @GetMapping("/next")
    DeferredResult<ResponseEntity<Guest>> next(@RequestParam(defaultValue = "30000") long ms) {
        DeferredResult<ResponseEntity<Guest>> result =
                new DeferredResult<>(ms, ResponseEntity.noContent().build());
        Consumer<Guest> next = guest -> result.setResult(ResponseEntity.ok(guest));
        result.onCompletion(() -> book.cancel(next));
        book.awaitNext(next);
        return result;
    }

    @GetMapping("/waiting")
    int waiting() {
        return book.waiting();
    }
}
