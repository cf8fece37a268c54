package io.millrace.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the guide has below one heading: blocks of commands, each followed by a block of what they print. */
record QuickStart(String title, List<Step> steps) {

    private static final String NOT_RUN = "*The build does not run the next block: ";

    /**
     * One block of commands.
     *
     * @param expected what they print; empty: nothing
     * @param obstacle what the page says why the build does not run them; null: it does
     */
    record Step(String commands, String expected, @Nullable String obstacle) {

        /** Of what they print: an ellipsis stands for anything in its line, one alone in its line for any number of lines. */
        Pattern pattern() {
            StringBuilder pattern = new StringBuilder();
            for (String line : expected.lines().toList()) {
                pattern.append(line.equals("…") ? "(?:.*\n)*?" : "\\Q" + line.replace("…", "\\E.*\\Q") + "\\E\n");
            }
            return Pattern.compile(pattern.toString());
        }
    }

    /** All on a page, in their order. A heading without commands is none. */
    static List<QuickStart> of(Path page) throws IOException {
        Reader reader = new Reader();
        Files.readAllLines(page).forEach(reader::read);
        return reader.starts.stream().filter(start -> !start.steps.isEmpty()).toList();
    }

    @Override
    public String toString() {
        return title;
    }

    private static final class Reader {

        private final List<QuickStart> starts = new ArrayList<>();
        private final StringBuilder block = new StringBuilder();

        private @Nullable String language;
        private @Nullable String obstacle;

        void read(String line) {
            if (language == null) {
                readProse(line);
            } else if (line.equals("```")) {
                endBlock();
            } else {
                block.append(line).append('\n');
            }
        }

        private void readProse(String line) {
            if (line.startsWith("## ")) {
                starts.add(new QuickStart(line.substring(3), new ArrayList<>()));
            } else if (line.startsWith(NOT_RUN)) {
                obstacle = line.substring(NOT_RUN.length(), line.length() - 1);
            } else if (line.startsWith("```")) {
                language = line.substring(3);
            }
        }

        private void endBlock() {
            List<Step> steps = starts.get(starts.size() - 1).steps;
            if (Objects.equals(language, "sh")) {
                steps.add(new Step(block.toString(), "", obstacle));
                obstacle = null;
            } else if (Objects.equals(language, "text") && !steps.isEmpty()) {
                Step last = steps.remove(steps.size() - 1);
                steps.add(new Step(last.commands, block.toString(), last.obstacle));
            } else {
                throw new IllegalStateException("neither commands nor what they print: " + block);
            }
            language = null;
            block.setLength(0);
        }
    }
}
