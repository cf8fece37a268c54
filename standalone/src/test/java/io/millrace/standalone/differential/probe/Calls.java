package io.millrace.standalone.differential.probe;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import javax.naming.InitialContext;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.ReadListener;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletException;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletOutputStream;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.WriteListener;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import javax.servlet.http.Part;
import org.jspecify.annotations.NullUnmarked;

/** What scripts may call as {@code x} beyond the Servlet API: what takes more than one statement. */
@NullUnmarked
public final class Calls {

    private final Script script;

    Calls(Script script) {
        this.script = script;
    }

    private HttpServletRequest req() {
        return (HttpServletRequest) script.variable("req");
    }

    private HttpServletResponse res() {
        return (HttpServletResponse) script.variable("res");
    }

    /** All that the request says of its paths, and the attributes of dispatches. */
    public void paths() {
        HttpServletRequest req = req();
        script.line("type = " + req.getDispatcherType());
        script.line("uri = " + Shown.of(req.getRequestURI()));
        script.line("url = " + Shown.of(req.getRequestURL()));
        script.line("contextPath = " + Shown.of(req.getContextPath()));
        script.line("servletPath = " + Shown.of(req.getServletPath()));
        script.line("pathInfo = " + Shown.of(req.getPathInfo()));
        script.line("translated = " + (req.getPathTranslated() != null));
        script.line("query = " + Shown.of(req.getQueryString()));
        script.line("mapping = " + Shown.of(req.getHttpServletMapping()));
        attributes();
    }

    /** The attributes of dispatches and errors that are set. */
    public void attributes() {
        List<String> names = new ArrayList<>();
        for (String kind : List.of("forward", "include", "async")) {
            for (String part :
                    List.of("request_uri", "context_path", "servlet_path", "path_info", "query_string", "mapping")) {
                names.add("javax.servlet." + kind + "." + part);
            }
        }
        for (String part :
                List.of("status_code", "message", "exception_type", "exception", "request_uri", "servlet_name")) {
            names.add("javax.servlet.error." + part);
        }
        List<String> listed = Collections.list(req().getAttributeNames());
        for (String each : names) {
            Object value = req().getAttribute(each);
            if (value != null) {
                script.line(each + " = " + Shown.of(value));
            }
            if (value != null != listed.contains(each)) {
                script.line(each + " is listed: " + listed.contains(each));
            }
        }
    }

    /** All parameters, by name. */
    public void params() {
        TreeMap<String, String> all = new TreeMap<>();
        for (String name : Collections.list(req().getParameterNames())) {
            all.put(Shown.of(name), Shown.of(req().getParameterValues(name)));
        }
        script.line("params = " + all);
    }

    /** The body, read as bytes. */
    public String body() throws IOException {
        return new String(req().getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** The body, read as characters. */
    public String read() throws IOException {
        StringBuilder all = new StringBuilder();
        Reader reader = req().getReader();
        for (int c = reader.read(); c >= 0; c = reader.read()) {
            all.append((char) c);
        }
        return all.toString();
    }

    public void print(String text) throws IOException {
        res().getWriter().print(text);
    }

    public void write(String text) throws IOException {
        res().getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    public String repeat(String text, int times) {
        return text.repeat(times);
    }

    /** Characters that a header cannot bring, by their code points. */
    public String chars(String codes) {
        StringBuilder all = new StringBuilder();
        Arrays.stream(codes.split(" ", -1)).forEach(code -> all.appendCodePoint(Integer.parseInt(code, 16)));
        return all.toString();
    }

    public Cookie cookie(String name, String value) {
        return new Cookie(name, value);
    }

    /** A dispatch by forward, include, async or the name of a servlet. */
    public void dispatch(String kind, String path) throws ServletException, IOException {
        if (kind.equals("async")) {
            startAsync().dispatch(path);
        } else if (kind.equals("again")) {
            startAsync().dispatch();
        } else if (kind.equals("error")) {
            res().sendError(Integer.parseInt(path));
        } else {
            boolean named = kind.startsWith("named");
            RequestDispatcher dispatcher =
                    named ? req().getServletContext().getNamedDispatcher(path) : req().getRequestDispatcher(path);
            if (dispatcher == null) {
                script.line(kind + " " + path + ": no dispatcher");
            } else if (kind.endsWith("include")) {
                dispatcher.include(req(), res());
            } else {
                dispatcher.forward(req(), res());
            }
        }
    }

    /** Puts wrappers of the application around request and response. */
    public void wrap() {
        script.with("req", new Request(req()));
        script.with("res", new Response(res()));
    }

    public String wrapped() {
        return (req() instanceof Request) + " " + (res() instanceof Response);
    }

    /** Begins asynchronous processing with the request and response at hand; its end is waited for. */
    public AsyncContext startAsync() {
        AsyncContext context = req().startAsync(req(), res());
        String name = script.caseName();
        Trace.begun(name);
        context.addListener(new Events(script, "", "") {
            @Override
            public void onComplete(AsyncEvent event) {
                Trace.ended(name);
            }

            @Override
            void note(String event, AsyncEvent details) {}
        });
        return context;
    }

    /** Notes the events of an asynchronous cycle, and runs statements at one of them. */
    public void listen(AsyncContext context, String event, String statements) {
        context.addListener(new Events(script, event, statements));
    }

    /** Runs statements on a thread of the container's, after the service method has returned, or nearly. */
    public void start(AsyncContext context, String statements) {
        Script later = script.later(script.label() + "t").with("ac", context);
        context.start(() -> {
            try {
                later.run(statements);
            } catch (ServletException | IOException e) {
                later.line("thrown " + Shown.type(e));
            }
        });
    }

    /** Runs statements on a thread of the application's, and waits for their end. */
    public void thread(String statements) throws InterruptedException {
        Script later = script.later(script.label() + "t");
        CountDownLatch end = new CountDownLatch(1);
        new Thread(() -> {
                    try {
                        later.run(statements);
                    } catch (ServletException | IOException e) {
                        later.line("thrown " + Shown.type(e));
                    } finally {
                        end.countDown();
                    }
                })
                .start();
        end.await();
    }

    /** Reads the body by a listener, and notes what it was told. */
    public void readAsync(AsyncContext context, String atEnd) throws IOException {
        ServletInputStream in = req().getInputStream();
        Script later = script.later(script.label() + "r").with("ac", context);
        in.setReadListener(new ReadListener() {
            private int count;

            @Override
            public void onDataAvailable() throws IOException {
                byte[] chunk = new byte[4096];
                while (in.isReady()) {
                    int read = in.read(chunk);
                    if (read < 0) {
                        break;
                    }
                    count += read;
                }
            }

            @Override
            public void onAllDataRead() throws IOException {
                later.line("all read: " + count + ", finished " + in.isFinished());
                try {
                    later.run(atEnd);
                } catch (ServletException e) {
                    throw new IOException(e);
                }
            }

            @Override
            public void onError(Throwable thrown) {
                later.line("read error " + Shown.type(thrown));
                context.complete();
            }
        });
    }

    /** Writes text by a listener, in pieces, then completes. */
    public void writeAsync(AsyncContext context, String piece, int pieces) throws IOException {
        ServletOutputStream out = res().getOutputStream();
        out.setWriteListener(new WriteListener() {
            private int left = pieces;

            @Override
            public void onWritePossible() throws IOException {
                while (left > 0 && out.isReady()) {
                    out.write(piece.getBytes(StandardCharsets.UTF_8));
                    left--;
                }
                if (left == 0 && out.isReady()) {
                    script.line("written");
                    context.complete();
                }
            }

            @Override
            public void onError(Throwable thrown) {
                script.line("write error " + Shown.type(thrown));
                context.complete();
            }
        });
    }

    /** Throws what the application's code could. */
    @SuppressWarnings("DoNotCallSuggester") // called by scripts
    public void raise(String type) throws ReflectiveOperationException {
        throw new Script.Raised(Class.forName(type)
                .asSubclass(Throwable.class)
                .getConstructor(String.class)
                .newInstance("raised"));
    }

    @SuppressWarnings("BanJNDI") // of names that the tests choose
    public Object jndi(String name) throws Exception {
        return new InitialContext().lookup(name);
    }

    public ClassLoader loader() {
        return Thread.currentThread().getContextClassLoader();
    }

    public String text(InputStream in) throws IOException {
        try (in) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A path or URL without the application's own directory. */
    public String below(Object path) throws IOException {
        if (path == null) {
            return null;
        }
        String root = path instanceof String
                ? req().getServletContext().getRealPath("/")
                : String.valueOf(req().getServletContext().getResource("/"));
        String text = path.toString();
        String bare = root.endsWith("/") ? root.substring(0, root.length() - 1) : root;
        return text.startsWith(bare) ? text.substring(bare.length()) : text;
    }

    public List<String> parts() throws ServletException, IOException {
        List<String> all = new ArrayList<>();
        for (Part part : req().getParts()) {
            all.add(Shown.of(part)
                    + part.getHeaderNames().stream()
                            .map(name -> name.toLowerCase(Locale.ROOT) + ":" + part.getHeaders(name))
                            .sorted()
                            .toList());
        }
        return all;
    }

    /** Without an order, where the API has none. */
    public Set<Object> set(Collection<?> values) {
        return new HashSet<>(values);
    }

    public List<String> sorted(Enumeration<String> names) {
        return Collections.list(names).stream().sorted().toList();
    }

    /** Of a request header's names, those that this probe does not use. */
    public List<String> headerNames() {
        return Collections.list(req().getHeaderNames()).stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .filter(name -> !name.startsWith("x-"))
                .sorted()
                .toList();
    }

    private static final class Request extends HttpServletRequestWrapper {
        Request(HttpServletRequest request) {
            super(request);
        }
    }

    private static final class Response extends HttpServletResponseWrapper {
        Response(HttpServletResponse response) {
            super(response);
        }
    }

    private static class Events implements AsyncListener {

        private final Script script;
        private final String event;
        private final String statements;

        Events(Script script, String event, String statements) {
            this.script = script;
            this.event = event;
            this.statements = statements;
        }

        void note(String name, AsyncEvent details) throws IOException {
            ServletRequest request = details.getSuppliedRequest();
            ServletResponse response = details.getSuppliedResponse();
            Throwable thrown = details.getThrowable();
            script.line("event " + name + " " + (request != null) + " " + (response != null) + " "
                    + (thrown == null ? "" : Shown.type(thrown)));
            if (event.equals(name)) {
                try {
                    script.later(script.label() + "e")
                            .with("ac", details.getAsyncContext())
                            .run(statements);
                } catch (ServletException e) {
                    throw new IOException(e);
                }
            }
        }

        @Override
        public void onComplete(AsyncEvent details) throws IOException {
            note("onComplete", details);
        }

        @Override
        public void onTimeout(AsyncEvent details) throws IOException {
            note("onTimeout", details);
        }

        @Override
        public void onError(AsyncEvent details) throws IOException {
            note("onError", details);
        }

        @Override
        public void onStartAsync(AsyncEvent details) throws IOException {
            note("onStartAsync", details);
        }
    }
}
