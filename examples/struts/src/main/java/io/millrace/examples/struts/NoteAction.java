package io.millrace.examples.struts;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;

/** Receives a note; Struts parses the multipart body itself. */
public class NoteAction extends GuestsAction {

    private String title = "";
    private @Nullable File note;
    private String fileName = "";
    private String text = "";

    @Override
    public String execute() throws IOException {
        if (note == null) {
            addFieldError("note", "Which file?");
            return INPUT;
        }
        text = Files.readString(note.toPath());
        return SUCCESS;
    }

    public String getTitle() {
        return title;
    }

    public void setTitle(String title) {
        this.title = title;
    }

    public void setNote(File note) {
        this.note = note;
    }

    public String getNoteFileName() {
        return fileName;
    }

    public void setNoteFileName(String fileName) {
        this.fileName = fileName;
    }

    public String getText() {
        return text;
    }
}
