package io.millrace.text;

import java.util.Map;

/** Explains the messages of the JDK's XML parser, which use the terms of the XML specification. */
public final class XmlErrors {

    /** Follows the position in messages of {@code XMLStreamException}. */
    private static final String MESSAGE = "Message: ";

    /** What to correct, by what the parser's message contains. Without an entry the message is clear by itself. */
    private static final Map<String, String> HINTS = Map.of(
            "must start and end within the same entity",
            "an element is not closed",
            "following the root element must be well-formed",
            "something follows the end of the first element",
            "Content is not allowed in prolog",
            "the file begins with something else than an element",
            "must consist of well-formed character data or markup",
            "write &lt; for a < that begins no element",
            "must immediately follow the '&'",
            "write &amp; for &",
            "must end with the ';' delimiter",
            "write &amp; for &",
            "must not contain the '<' character",
            "a closing quote is missing, or &lt; must be written for <",
            "Premature end of file",
            "the file is empty or ends too early",
            "must be followed by either attribute specifications",
            "a quote, a space or a > is missing",
            "matching \"[xX][mM][lL]\" is not allowed",
            "<?xml …?> must be at the very beginning of the file");

    private XmlErrors() {}

    /** The parser's message without its position, and with a hint in parentheses where one is known. */
    public static String explain(String message) {
        int begin = message.indexOf(MESSAGE);
        String problem = (begin < 0 ? message : message.substring(begin + MESSAGE.length())).strip();
        for (Map.Entry<String, String> hint : HINTS.entrySet()) {
            if (problem.contains(hint.getKey())) {
                return problem + " (" + hint.getValue() + ")";
            }
        }
        return problem;
    }
}
