package io.millrace.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Configuration in the user guide, to be run as it stands: the block behind {@code <!-- snippet: NAME -->}. */
final class Snippets {

    private final Path page;
    private final String text;

    private Snippets(Path page, String text) {
        this.page = page;
        this.text = text;
    }

    static Snippets of(String pageName) throws IOException {
        Path page = Path.of("..", "docs", "guide", pageName);
        return new Snippets(page, Files.readString(page));
    }

    String get(String name) {
        Matcher block = Pattern.compile("<!-- snippet: " + name + " -->\n```\\w+\n(.*?)```", Pattern.DOTALL)
                .matcher(text);
        if (!block.find()) {
            throw new AssertionError(page + " has no snippet " + name);
        }
        return block.group(1);
    }
}
