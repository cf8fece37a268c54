package io.millrace.examples.spring;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.servlet.ServletContext;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;

/** Receives a note and stores it in the container's directory for parts. */
@Controller
class UploadController {

    private static final String KEPT = "note.kept";

    private final Path uploads;

    UploadController(ServletContext context) {
        uploads = ((File) context.getAttribute(ServletContext.TEMPDIR)).toPath().resolve("uploads");
    }

    @PostMapping("/notes")
    String upload(@RequestParam MultipartFile note, @RequestParam String title, Model model) throws IOException {
        model.addAttribute("title", title);
        model.addAttribute("file", note.getOriginalFilename());
        model.addAttribute("size", note.getSize());
        note.transferTo(new File(KEPT)); // relative: Part.write puts it below the location
        try {
            model.addAttribute("text", Files.readString(uploads.resolve(KEPT)));
        } finally {
            Files.deleteIfExists(uploads.resolve(KEPT));
        }
        return "note";
    }
}
