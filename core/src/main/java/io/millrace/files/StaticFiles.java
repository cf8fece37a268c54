package io.millrace.files;

import io.millrace.compression.EncodedForms;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.ResponseHead;
import io.millrace.io.Payload;
import io.millrace.metrics.MetricGroup;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Responds to requests for the files of a {@link FileSource}: selects the representation, evaluates conditions and
 * ranges, caches frequently requested contents, and sends. The caller handles the meaning of paths (directories, index
 * files, protected paths). Thread-safe.
 */
public final class StaticFiles {

    /** The number of retries for a file that changes while it is being opened. */
    private static final int ATTEMPTS = 3;

    /** The prefix of the keys of files that were looked up without a request for them. */
    private static final String INTERNAL = " ";

    private final FileSource source;
    private final FileRules rules;
    private final FileCache cache;

    /** Serves files with a cache of its own. */
    public StaticFiles(FileSource source, FileRules rules, CacheLimits limits) {
        this.source = source;
        this.rules = rules;
        cache = new FileCache(limits);
    }

    /** Adds the metrics of its cache. */
    public void addTo(MetricGroup group) {
        cache.addTo(group);
    }

    /**
     * Responds immediately if everything is cached; reads no file, and only checks whether an open one has changed. Must
     * be the last call of a handler on its exchange.
     *
     * @param key the key that was passed to {@link #answer}
     * @return false, without any effect, if {@link #answer} must be called on a thread that may block
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
     * Responds to GET and HEAD with the file at a path. Must be the last call of a handler on its exchange, on a thread
     * that may block.
     *
     * @param key the key for {@link #answerKnown}
     * @param path the path of the file; its precompressed files are next to it
     * @return the status; if it is 400 or above, nothing has been sent and the caller must send that error. 404: the
     *     file no longer exists
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

    /**
     * Works on an interrupted thread too, which could not read a file; the interrupt status is restored for the
     * application.
     */
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

    /** Whether the operating system may send the file: not if the response is being compressed. */
    private static boolean isForKernel(HttpExchange exchange) {
        return exchange.channel().sendsFiles() && !EncodedForms.areWanted(exchange);
    }

    /** The response to GET or HEAD for a file that was found at a path, for callers that send it themselves. */
    public FileReply reply(String method, Headers request, ServedFile file, String path) throws IOException {
        return FileReply.of(method, request, cache.put(new CachedFile(INTERNAL + path, forms(file, path))));
    }

    /** The response with the complete file, without conditions and ranges; for error pages, for example. */
    public FileReply whole(ServedFile file, String path) {
        return FileReply.whole(cache.put(new CachedFile(INTERNAL + path, List.of(rules.plain(file, false)))));
    }

    /**
     * Replaces the body of a response by that of a reply, which is sent when the response is ended.
     *
     * @param kernel whether the operating system may send the file
     * @return null, without any effect, if the file is neither in memory nor sent by the operating system; use {@link
     *     FileReply#writeTo} then
     * @throws IOException if the file has been changed or deleted since it was found
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

    /** The validators of a file's current state. */
    public Validators validators(ServedFile file) {
        return rules.plain(file, false).validators();
    }

    /** Removes a cache entry, because its path has another meaning now. */
    public void forget(String key) {
        cache.remove(key);
    }

    /** Evicts all entries; called at the end. */
    public void close() {
        cache.clear();
    }

    /** The file, then the precompressed files that are not older than it. */
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

    /** Takes the ownership of the content from the caller. */
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
