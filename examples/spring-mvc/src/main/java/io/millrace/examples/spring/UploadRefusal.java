package io.millrace.examples.spring;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.multipart.MaxUploadSizeExceededException;

/** Responds to uploads beyond the limit, which Spring rejects before it has chosen a controller. */
@RestControllerAdvice
class UploadRefusal {

    @ExceptionHandler
    @ResponseStatus(HttpStatus.PAYLOAD_TOO_LARGE)
    String tooLarge(MaxUploadSizeExceededException e) {
        return "That is more than a note.";
    }
}
