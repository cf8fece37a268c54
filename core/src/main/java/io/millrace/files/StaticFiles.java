package io.millrace.files;

import io.millrace.compression.EncodedForms;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.ResponseHead;
import io.millrace.io.Payload;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for the files of a {@link FileSource}: chooses a representation, evaluates the request's conditions and
 * ranges, keeps in memory what is asked for often, and sends. What the paths mean (directories, index files, which paths
 * are nobody's business) is its caller's affair. Any thread.
 */
public final class StaticFiles {

    /** A file may change while it is being opened; one that always does is not served. */
    private static final int ATTEMPTS = 3;

    /** Before the keys of what is known apart from requests for it. */
    private static final String UNASKED = " ";

    private final FileSource source;
    private final FileRules rules;
    private final FileCache cache;

    /** With a cache of its own. */
    public StaticFiles(FileSource source, FileRules rules, CacheLimits limits) {
        this.source = source;
        this.rules = rules;
        cache = new FileCache(limits);
    }

    /**
     * Answers at once if all is known and at hand; reads no file, and of an open one asks only
     * whether it has changed. To be the last thing that a handler does.
     *
     * @param key under which {@link #answer} was called
     * @return false, having done nothing, if {@link #answer} must be called, on a thread that may block
     */
    public boolean answerKnown(HttpExchange exchange, String key) {
        CachedFile known = cache.fresh(key);
        String method = exchange.request().method();
        if (known == null || !method.equals(Method.GET) && !method.equals(Method.HEAD)) {
            return false;
        }
        Headers request = exchange.request().headers();
        FileReply reply = FileReply.of(method, request, known);
        if (reply.isError()) {
            return false;
        }
        boolean bodiless = reply.pieces().isEmpty() || method.equals(Method.HEAD);
        Content content = bodiless ? null : cache.held(known, reply.chosen());
        if (!bodiless && content == null) {
            return false;
        }
        describe(exchange, reply);
        send(exchange, reply, content);
        return true;
    }

    /**
     * Answers GET and HEAD with a file just found. To be the last thing that a handler does, on a thread that may block.
     *
     * @param key under which it shall be known
     * @param path where it was found: its compressed siblings lie beside it
     * @return the status; from 400 on nothing was sent, and the caller has to answer with that error. 404: it is gone
     */
    public int answer(HttpExchange exchange, String key, String path) throws IOException {
        Headers request = exchange.request().headers();
        for (int attempt = 0; ; attempt++) {
            ServedFile file = source.find(path);
            if (file == null || file.isDirectory()) {
                cache.remove(key);
                return 404;
            }
            CachedFile known = cache.put(new CachedFile(key, forms(file, path)));
            FileReply reply = FileReply.of(exchange.request().method(), request, known);
            try {
                return answer(exchange, reply);
            } catch (FileChangedException again) {
                if (attempt == ATTEMPTS) {
                    throw again;
                }
            } catch (NoSuchFileException | FileNotFoundException | AccessDeniedException unreadable) {
                cache.remove(key);
                return 404;
            }
        }
    }

    private int answer(HttpExchange exchange, FileReply reply) throws IOException {
        boolean bodiless =
                reply.pieces().isEmpty() || exchange.request().method().equals(Method.HEAD);
        if (reply.isError() || bodiless) {
            describe(exchange, reply);
            if (!reply.isError()) {
                send(exchange, reply, null);
            }
            return reply.status();
        }
        Content content = open(reply, isForKernel(exchange));
        describe(exchange, reply);
        if (content == null) {
            reply.writeTo(ExchangeOutputStream.of(exchange));
        } else {
            send(exchange, reply, content);
        }
        return reply.status();
    }

    /** Also on a thread that was interrupted, which could not read a file: what the application has to do with that is its own. */
    private @Nullable Content open(FileReply reply, boolean kernel) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            return cache.open(reply.known(), reply.chosen(), kernel);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What is compressed is not for it. */
    private static boolean isForKernel(HttpExchange exchange) {
        return exchange.channel().sendsFiles() && !EncodedForms.areWanted(exchange);
    }

    /** What is to be answered to GET or HEAD for a file just found at a path, by whoever sends it himself. */
    public FileReply reply(String method, Headers request, ServedFile file, String path) throws IOException {
        return FileReply.of(method, request, cache.put(new CachedFile(UNASKED + path, forms(file, path))));
    }

    /** The same without conditions and ranges: for an error page, for one. */
    public FileReply whole(ServedFile file, String path) {
        return FileReply.whole(cache.put(new CachedFile(UNASKED + path, List.of(rules.plain(file, false)))));
    }

    /**
     * Makes the body of a reply that of the response, instead of what will be written to it: sent when that is ended.
     *
     * @param kernel may the kernel send it?
     * @return null, having done nothing, if it is neither in memory nor for the kernel: then {@link FileReply#writeTo}
     * @throws IOException if the file was changed or deleted since it was found
     */
    public @Nullable FileBody attach(HttpExchange exchange, FileReply reply, boolean kernel) throws IOException {
        Content content = reply.pieces().isEmpty() ? null : open(reply, kernel && isForKernel(exchange));
        if (content == null) {
            return null;
        }
        if (!kernel && content.mayChange()) {
            content.release();
            return null;
        }
        FileBody[] made = new FileBody[1];
        exchange.output().wrap(sink -> made[0] = new FileBody(exchange, sink, reply, content));
        FileBody body = made[0];
        exchange.onEnd(outcome -> body.abandon());
        return body;
    }

    /** Distinguishes this state of a file from others. */
    public Validators validators(ServedFile file) {
        return rules.plain(file, false).validators();
    }

    /** A path stands for something else now. */
    public void forget(String key) {
        cache.remove(key);
    }

    /** Lets all contents go: nothing will be asked for any more. */
    public void close() {
        cache.clear();
    }

    /** The file, then the compressed siblings that are not older: those are of another state. */
    private List<Representation> forms(ServedFile file, String path) throws IOException {
        List<Representation> compressed = null;
        for (Precompressed kind : rules.precompressed()) {
            ServedFile sibling = source.find(path + kind.suffix());
            if (sibling != null && !sibling.isDirectory() && sibling.lastModified() + 1_000 > file.lastModified()) {
                compressed = compressed == null ? new ArrayList<>(2) : compressed;
                compressed.add(rules.compressed(sibling, kind.coding(), file));
            }
        }
        if (compressed == null) {
            return List.of(rules.plain(file, false));
        }
        compressed.add(0, rules.plain(file, true));
        return compressed;
    }

    private static void describe(HttpExchange exchange, FileReply reply) {
        ResponseHead head = exchange.response();
        reply.describe(head.headers());
        if (!reply.isError()) {
            if (reply.status() < 300 && !reply.contentType().isEmpty()) {
                head.headers().set("Content-Type", reply.contentType());
            }
            head.status(reply.status()).contentLength(reply.contentLength());
        }
    }

    /** The content is the caller's until then, and the response's from now on. */
    private static void send(HttpExchange exchange, FileReply reply, @Nullable Content content) {
        if (content == null) {
            exchange.output().write(Payload.NOTHING, true, failure -> {});
            return;
        }
        boolean simple = reply.pieces().size() == 1 && !content.mayChange();
        if (simple && reply.pieces().get(0) instanceof FileReply.Piece.OfFile piece) {
            Payload payload = reply.isWhole() ? content.whole(exchange, piece.range()) : content.payload(piece.range());
            exchange.output().write(payload, true, failure -> content.release());
        } else {
            FileBody[] made = new FileBody[1];
            exchange.output().wrap(sink -> made[0] = new FileBody(exchange, sink, reply, content));
            FileBody body = made[0];
            exchange.output().write(Payload.NOTHING, true, failure -> body.abandon());
        }
    }
}
