package io.millrace.standalone.differential;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Asynchronous requests: events and their order, dispatches, timeouts, errors, non-blocking input and output. */
final class AsyncCases {

    private static final Map<String, String> SCRIPTS = new LinkedHashMap<>();

    static {
        SCRIPTS.put(
                "complete",
                "ac = x.startAsync(); x.listen(ac, '', ''); x.print('a'); ac.complete(); x.print('b'); req.isAsyncStarted()");
        SCRIPTS.put("complete twice", "ac = x.startAsync(); x.listen(ac, '', ''); ac.complete(); ac.complete()");
        SCRIPTS.put(
                "dispatch after complete",
                "ac = x.startAsync(); x.listen(ac, '', ''); ac.complete(); ac.dispatch('/target/t')");
        SCRIPTS.put(
                "complete after dispatch",
                "ac = x.startAsync(); x.listen(ac, '', ''); ac.dispatch('/target/t'); ac.complete()");
        SCRIPTS.put(
                "dispatch twice",
                "ac = x.startAsync(); x.listen(ac, '', ''); ac.dispatch('/target/t'); ac.dispatch('/target/u')");
        SCRIPTS.put("start twice", "ac = x.startAsync(); x.listen(ac, '', ''); req.startAsync(); ac.complete()");
        SCRIPTS.put("start after complete", "ac = x.startAsync(); ac.complete(); req.startAsync()");
        SCRIPTS.put(
                "context twice",
                "ac = x.startAsync(); req.getAsyncContext().hasOriginalRequestAndResponse(); ac.getRequest().equals(req); ac.complete()");
        SCRIPTS.put("without", "req.isAsyncSupported(); req.isAsyncStarted(); req.getAsyncContext()");
        SCRIPTS.put(
                "thread",
                "ac = x.startAsync(); x.listen(ac, '', ''); x.start(ac, \"res.getWriter().print('from thread'); ac.complete()\")");
        SCRIPTS.put(
                "thread dispatch",
                "ac = x.startAsync(); x.listen(ac, '', ''); x.start(ac, \"ac.dispatch('/target/t?a=1')\")");
        SCRIPTS.put(
                "thread throws",
                "ac = x.startAsync(); x.listen(ac, 'onError', 'ac.complete()'); x.start(ac, \"x.raise('java.lang.IllegalStateException')\")");
        SCRIPTS.put(
                "thread sendError",
                "ac = x.startAsync(); x.listen(ac, '', ''); x.start(ac, \"res.sendError(409); ac.complete()\")");
        SCRIPTS.put(
                "thread sendError page",
                "ac = x.startAsync(); x.listen(ac, '', ''); x.start(ac, \"res.sendError(410); ac.complete()\")");
        SCRIPTS.put("timeout", "ac = x.startAsync(); x.listen(ac, '', ''); ac.setTimeout(100L); ac.getTimeout()");
        SCRIPTS.put(
                "timeout complete",
                "ac = x.startAsync(); x.listen(ac, 'onTimeout', \"res.getWriter().print('late'); ac.complete()\"); ac.setTimeout(100L)");
        SCRIPTS.put(
                "timeout dispatch",
                "ac = x.startAsync(); x.listen(ac, 'onTimeout', \"ac.dispatch('/target/t')\"); ac.setTimeout(100L)");
        SCRIPTS.put(
                "timeout status",
                "ac = x.startAsync(); x.listen(ac, 'onTimeout', 'res.setStatus(503)'); ac.setTimeout(100L)");
        SCRIPTS.put(
                "timeout sendError",
                "ac = x.startAsync(); x.listen(ac, 'onTimeout', 'res.sendError(410); ac.complete()'); ac.setTimeout(100L)");
        SCRIPTS.put(
                "timeout sendError only",
                "ac = x.startAsync(); x.listen(ac, 'onTimeout', 'res.sendError(409)'); ac.setTimeout(100L)");
        SCRIPTS.put(
                "timeout throws",
                "ac = x.startAsync(); x.listen(ac, 'onTimeout', \"x.raise('java.lang.IllegalStateException')\"); ac.setTimeout(100L)");
        SCRIPTS.put(
                "timeout committed",
                "ac = x.startAsync(); x.listen(ac, '', ''); x.print('a'); res.flushBuffer(); ac.setTimeout(100L)");
        SCRIPTS.put(
                "timeout two listeners",
                "ac = x.startAsync(); x.listen(ac, '', ''); x.listen(ac, 'onTimeout', 'ac.complete()'); x.listen(ac, '', ''); ac.setTimeout(100L)");
        SCRIPTS.put(
                "timeout default",
                "ac = x.startAsync(); ac.getTimeout(); ac.setTimeout(0L); ac.getTimeout(); ac.setTimeout(-1L); ac.getTimeout(); ac.complete()");
        SCRIPTS.put(
                "throws", "ac = x.startAsync(); x.listen(ac, '', ''); x.raise('java.lang.IllegalArgumentException')");
        SCRIPTS.put(
                "throws complete",
                "ac = x.startAsync(); x.listen(ac, 'onError', \"res.setStatus(555); ac.complete()\"); x.raise('java.lang.IllegalArgumentException')");
        SCRIPTS.put(
                "throws dispatch",
                "ac = x.startAsync(); x.listen(ac, 'onError', \"ac.dispatch('/target/t')\"); x.raise('java.lang.IllegalArgumentException')");
        SCRIPTS.put(
                "throws page", "ac = x.startAsync(); x.listen(ac, '', ''); x.raise('java.lang.IllegalStateException')");
        SCRIPTS.put("sendError", "ac = x.startAsync(); x.listen(ac, '', ''); res.sendError(409); ac.complete()");
        SCRIPTS.put("sendError page", "ac = x.startAsync(); x.listen(ac, '', ''); res.sendError(410); ac.complete()");
        SCRIPTS.put(
                "sendError dispatch",
                "ac = x.startAsync(); x.listen(ac, '', ''); res.sendError(410); ac.dispatch('/target/t')");
        SCRIPTS.put("redirect", "ac = x.startAsync(); x.listen(ac, '', ''); res.sendRedirect('/x'); ac.complete()");
        SCRIPTS.put(
                "dispatch",
                "ac = x.startAsync(); x.listen(ac, '', ''); ac.dispatch('/target/t?a=b'); req.isAsyncStarted()");
        SCRIPTS.put("dispatch relative", "ac = x.startAsync(); ac.dispatch('target/t')");
        SCRIPTS.put("dispatch null", "ac = x.startAsync(); ac.dispatch(null)");
        SCRIPTS.put("dispatch missing", "ac = x.startAsync(); x.listen(ac, '', ''); ac.dispatch('/missing')");
        SCRIPTS.put("dispatch file", "ac = x.startAsync(); x.listen(ac, '', ''); ac.dispatch('/static/file.txt')");
        SCRIPTS.put("dispatch page", "ac = x.startAsync(); x.listen(ac, '', ''); ac.dispatch('/jsp/do.jsp?a=1')");
        SCRIPTS.put("dispatch context", "ac = x.startAsync(); ac.dispatch(ctx, '/target/t')");
        SCRIPTS.put("dispatch sync", "ac = x.startAsync(); x.listen(ac, '', ''); ac.dispatch('/sync/x')");
        SCRIPTS.put(
                "flush then dispatch",
                "ac = x.startAsync(); x.print('a'); res.flushBuffer(); ac.dispatch('/target/t')");
        SCRIPTS.put(
                "close then dispatch",
                "ac = x.startAsync(); x.print('a'); res.getWriter().close(); ac.dispatch('/target/t')");
        SCRIPTS.put("from forward", "x.dispatch('forward', '/do/longer/x')");
        SCRIPTS.put("from include", "x.dispatch('include', '/do/longer/x')");
        SCRIPTS.put(
                "wrapped",
                "x.wrap(); ac = x.startAsync(); ac.hasOriginalRequestAndResponse(); ac.dispatch('/target/t')");
        SCRIPTS.put(
                "start without arguments wrapped",
                "x.wrap(); ac = req.startAsync(); ac.hasOriginalRequestAndResponse(); ac.complete()");
        SCRIPTS.put("write listener", "ac = x.startAsync(); x.listen(ac, '', ''); x.writeAsync(ac, 'piece ', 3)");
        SCRIPTS.put(
                "write listener large",
                "ac = x.startAsync(); x.listen(ac, '', ''); x.writeAsync(ac, x.repeat('0123456789', 1000), 100)");
        SCRIPTS.put("write listener sync", "res.getOutputStream().setWriteListener(null)");
        SCRIPTS.put(
                "listener null",
                "ac = x.startAsync(); res.getOutputStream().setWriteListener(null); req.getInputStream().setReadListener(null); ac.complete()");
        SCRIPTS.put("read listener without async", "x.readAsync(null, '')");
        SCRIPTS.put(
                "isReady without listener",
                "res.getOutputStream().isReady(); req.getInputStream().isReady(); req.getInputStream().isFinished()");
        SCRIPTS.put("attributes", "req.setAttribute('own', 1); ac = x.startAsync(); ac.dispatch('/target/t')");
        SCRIPTS.put("session", "req.getSession().isNew(); ac = x.startAsync(); ac.dispatch('/target/t')");
    }

    private AsyncCases() {}

    static void addTo(Cases cases) {
        SCRIPTS.forEach((name, script) -> {
            String second = name.startsWith("from ")
                    ? "req.isAsyncSupported(); ac = x.startAsync(); x.listen(ac, '', ''); x.print('a'); ac.dispatch()"
                    : "x.paths(); x.params(); req.getAttribute('own'); x.wrapped(); req.isAsyncSupported(); req.isAsyncStarted(); x.print('second')";
            if (name.startsWith("thread")) {
                second = "x.paths(); x.print('second')"; // whether the cycle has ended by then is chance
            }
            cases.add(
                    "async/" + name,
                    "/app",
                    Step.get("/app/do/x?q=1").run(0, script).run(1, second).run(2, "x.paths(); x.print('third')"));
        });
        for (String way : List.of("dispatch()", "dispatch('/target/t')", "complete()")) {
            for (String from : List.of(
                    "/app/%64o/x",
                    "/app/do/a%20b;c=d?e=f",
                    "/x/../app/do/x",
                    "/app/y.do",
                    "/app/exact",
                    "/app/do/",
                    "/app/jsp/async.jsp")) {
                cases.add(
                        "async/" + way + " of " + from,
                        "/app",
                        Step.get(from)
                                .run(0, "ac = x.startAsync(); x.listen(ac, '', ''); ac." + way)
                                .run(
                                        1,
                                        "x.paths(); ac = x.startAsync(); x.listen(ac, '', ''); ac.dispatch('/target/u')")
                                .run(2, "x.paths()"));
            }
        }
        cases.add(
                "async/unsupported servlet",
                "/app",
                Step.get("/app/sync/x").run(0, "req.isAsyncSupported(); req.startAsync()"));
        cases.add(
                "async/unsupported filter",
                "/app",
                Step.get("/app/filtered/sync/x").run(0, "req.isAsyncSupported(); req.startAsync()"));
        cases.add(
                "async/unsupported target",
                "/app",
                Step.get("/app/do/x")
                        .run(0, "x.dispatch('forward', '/sync/x')")
                        .run(1, "req.isAsyncSupported(); req.startAsync()"));
        cases.add(
                "async/started in filter",
                "/app",
                Step.get("/app/do/x")
                        .before("all", "ac = x.startAsync(); x.listen(ac, '', '')")
                        .run(0, "req.isAsyncStarted(); req.getAsyncContext().complete(); x.print('in servlet')")
                        .after("all", "req.isAsyncStarted()"));
        for (String body : List.of("", "short", "x".repeat(20_000))) {
            for (String from : List.of("/app/do/x", "/app/do/y?a=1")) {
                cases.add(
                        "async/read " + body.length() + " of " + from,
                        "/app",
                        Step.of("POST", from)
                                .body("text/plain", body)
                                .run(
                                        0,
                                        "ac = x.startAsync(); x.listen(ac, '', ''); x.readAsync(ac, \"res.getWriter().print('all'); ac.complete()\")"));
            }
        }
        cases.add(
                "async/read chunked",
                "/app",
                Step.of("POST", "/app/do/x")
                        .header("Transfer-Encoding", "chunked")
                        .body("text/plain", "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
                        .run(0, "ac = x.startAsync(); x.readAsync(ac, 'ac.complete()')"));
    }
}
