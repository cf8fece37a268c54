package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Receives JSON texts (RFC 8259) and passes on only those that are well-formed and within limits of size and depth, so that no text
 * overflows the stack of the library that binds it. Others get a response without reaching the handler: 415 if the content type is
 * neither {@code application/json} nor ends with {@code +json}, 413 if the text is too large, and 400 with its line and column if
 * it is malformed or nested too deeply. Members that occur twice are not noticed. Immutable.
 */
public final class JsonHandler implements NonBlockingHandler {

    /** The largest text, unless another limit is given: 1 MiB. */
    public static final int MAX_BYTES = 1 << 20;

    /** The deepest nesting of arrays and objects, unless another limit is given. */
    public static final int MAX_DEPTH = 64;

    private static final int MALFORMED = 400;
    private static final int UNSUPPORTED = 415;

    private final Use use;
    private final int maxBytes;
    private final int maxDepth;
    private final HttpHandler receiving;

    /** Handles a request with a JSON text. May block. */
    @FunctionalInterface
    public interface Use {

        /**
         * Handles it.
         *
         * @param text well-formed
         * @throws Exception any exception, with the same effect as that of a handler
         */
        void handle(HttpExchange exchange, String text) throws Exception;
    }

    private JsonHandler(Use use, int maxBytes, int maxDepth) {
        if (maxDepth < 1 || maxDepth > 10_000) {
            throw new IllegalArgumentException("the depth is " + maxDepth + "; expected a number from 1 to 10000");
        }
        this.use = use;
        this.maxBytes = maxBytes;
        this.maxDepth = maxDepth;
        receiving = RequestBody.upTo(maxBytes, this::received);
    }

    /**
     * A handler with the usual limits.
     *
     * @param use called on a worker
     */
    public static JsonHandler of(Use use) {
        return new JsonHandler(use, MAX_BYTES, MAX_DEPTH);
    }

    /** The same with another limit of the size, in bytes. */
    public JsonHandler maxBytes(int limit) {
        return new JsonHandler(use, limit, maxDepth);
    }

    /** The same with another limit of the depth. */
    public JsonHandler maxDepth(int limit) {
        return new JsonHandler(use, maxBytes, limit);
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        String type = RequestBody.mediaType(exchange);
        if (type.equals("application/json") || type.endsWith("+json")) {
            receiving.handle(exchange);
        } else {
            exchange.response().headers().set("Accept", "application/json");
            Responses.error(exchange, UNSUPPORTED);
        }
    }

    private void received(HttpExchange exchange, byte[] body) throws Exception {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            refuse(exchange, "the text is not UTF-8 (RFC 8259, 8.1)");
            return;
        }
        String defect = new Syntax(text, maxDepth).defect();
        if (defect == null) {
            use.handle(exchange, text);
        } else {
            refuse(exchange, defect);
        }
    }

    private static void refuse(HttpExchange exchange, String defect) {
        Responses.json(exchange, MALFORMED, "{\"status\":400,\"message\":" + Json.quote(defect) + "}");
    }

    /**
     * Checks a text without building anything of it: without recursion, in time linear in its length. Where a value is expected
     * or has ended is all that has to be known besides the kinds of the open brackets.
     */
    static final class Syntax {

        private static final char END = '\0';

        private final String text;
        private final int maxDepth;
        private final BitSet objects = new BitSet();
        private int depth;
        private int at;

        Syntax(String text, int maxDepth) {
            this.text = text;
            this.maxDepth = maxDepth;
        }

        private static final class DefectException extends Exception {

            private static final long serialVersionUID = 1L;

            DefectException(String message) {
                super(message, null, false, false);
            }
        }

        /** What is wrong, with line and column; null if nothing is. */
        @Nullable
        String defect() {
            try {
                value();
                space();
                if (at < text.length()) {
                    throw wrong("the end of the text");
                }
                return null;
            } catch (DefectException e) {
                return e.getMessage();
            }
        }

        /** Reads a value with all that is in it. */
        private void value() throws DefectException {
            boolean open = opens();
            while (depth > 0) {
                if (open && closes()) {
                    open = false;
                    continue;
                }
                if (!open && !next()) {
                    continue;
                }
                if (objects.get(depth)) {
                    name();
                }
                open = opens();
            }
        }

        /** Reads a simple value, or the bracket with which one opens: then it is true. */
        private boolean opens() throws DefectException {
            space();
            char c = peek();
            switch (c) {
                case '{', '[' -> {
                    if (depth == maxDepth) {
                        throw defect("arrays and objects are nested deeper than " + maxDepth);
                    }
                    depth++;
                    objects.set(depth, c == '{');
                    at++;
                    return true;
                }
                case '"' -> string();
                case 't' -> word("true");
                case 'f' -> word("false");
                case 'n' -> word("null");
                default -> number();
            }
            return false;
        }

        /** Reads the bracket with which the innermost value closes, if it is next. */
        private boolean closes() {
            space();
            if (peek() != (objects.get(depth) ? '}' : ']')) {
                return false;
            }
            at++;
            depth--;
            return true;
        }

        /** Reads what follows a value inside another one; false if that was the end of the other one. */
        private boolean next() throws DefectException {
            if (closes()) {
                return false;
            }
            if (peek() != ',') {
                throw wrong(objects.get(depth) ? "a comma or }" : "a comma or ]");
            }
            at++;
            return true;
        }

        private void name() throws DefectException {
            space();
            if (peek() != '"') {
                throw wrong("a name in quotation marks");
            }
            string();
            space();
            if (peek() != ':') {
                throw wrong("a colon");
            }
            at++;
        }

        private void string() throws DefectException {
            at++;
            while (at < text.length()) {
                char c = text.charAt(at);
                if (c == '"') {
                    at++;
                    return;
                }
                if (c < ' ') {
                    throw wrong("an escape, such as \\n, instead of a control character");
                }
                at++;
                if (c == '\\') {
                    escape();
                }
            }
            throw wrong("the quotation mark that ends the string");
        }

        private void escape() throws DefectException {
            char c = peek();
            if (c != 'u') {
                if ("\"\\/bfnrt".indexOf(c) < 0 || at == text.length()) {
                    throw wrong("one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
                }
                at++;
                return;
            }
            at++;
            for (int i = 0; i < 4; i++) {
                c = peek();
                if (!isDigit(c) && !(c >= 'a' && c <= 'f') && !(c >= 'A' && c <= 'F')) {
                    throw wrong("four hexadecimal digits");
                }
                at++;
            }
        }

        private void word(String word) throws DefectException {
            if (!text.startsWith(word, at)) {
                throw wrong("a value");
            }
            at += word.length();
        }

        private void number() throws DefectException {
            int start = at;
            at += peek() == '-' ? 1 : 0;
            if (!isDigit(peek())) {
                throw wrong(at > start ? "a digit" : "a value");
            }
            if (peek() == '0') {
                at++;
            } else {
                digits();
            }
            if (peek() == '.') {
                at++;
                digits();
            }
            if (peek() == 'e' || peek() == 'E') {
                at++;
                at += peek() == '+' || peek() == '-' ? 1 : 0;
                digits();
            }
        }

        private void digits() throws DefectException {
            if (!isDigit(peek())) {
                throw wrong("a digit");
            }
            while (isDigit(peek())) {
                at++;
            }
        }

        private static boolean isDigit(char c) {
            return c >= '0' && c <= '9';
        }

        private void space() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private char peek() {
            return at < text.length() ? text.charAt(at) : END;
        }

        private DefectException wrong(String expected) {
            char c = peek();
            String found = at == text.length()
                    ? "the end of the text"
                    : c > ' ' && c < 0x7f ? Character.toString(c) : String.format("U+%04X", (int) c);
            return defect("expected " + expected + ", found " + found);
        }

        private DefectException defect(String what) {
            int line = 1;
            int lineStart = 0;
            for (int i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) {
                line++;
                lineStart = i + 1;
            }
            return new DefectException("line " + line + ", column " + (at - lineStart + 1) + ": " + what);
        }
    }
}
