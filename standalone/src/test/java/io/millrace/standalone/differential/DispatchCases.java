package io.millrace.standalone.differential;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The state of a dispatch within another one (Servlet 4.0, chapter 9): each pair of kinds, with what the last target does. */
final class DispatchCases {

    private static final List<String> OUTER = List.of("plain", "forward", "include", "async", "error");
    private static final List<String> INNER = List.of("forward", "include", "async", "error", "named", "namedinclude");

    static final String MULTIPART = """
            --b
            Content-Disposition: form-data; name="a"

            value
            --b
            Content-Disposition: form-data; name="f"; filename="f.txt"
            Content-Type: text/plain

            file
            --b--
            """.replace("\n", "\r\n");

    /** What the target does. */
    private static final Map<String, String> WORK = new LinkedHashMap<>();

    static {
        WORK.put("paths", "x.paths(); x.params(); req.getAttribute('own')");
        WORK.put("flush", "x.print('early'); res.flushBuffer(); res.isCommitted(); res.setHeader('X-Late', '1')");
        WORK.put("flush of writer", "x.print('early'); res.getWriter().flush(); res.isCommitted()");
        WORK.put("flush of stream", "x.write('early'); res.getOutputStream().flush(); res.isCommitted()");
        WORK.put("close", "x.print('closed'); res.getWriter().close(); res.isCommitted(); x.print('late')");
        WORK.put("reset", "x.print('lost'); res.setHeader('X-Own', 'v'); res.reset(); x.print('kept')");
        WORK.put("resetBuffer", "x.print('lost'); res.resetBuffer(); x.print('kept')");
        WORK.put("sendError", "x.print('lost'); res.sendError(409, 'conflict'); res.isCommitted()");
        WORK.put("sendError page", "res.sendError(410); res.isCommitted()");
        WORK.put("sendRedirect", "res.sendRedirect('/elsewhere'); res.isCommitted()");
        WORK.put(
                "head",
                "res.setStatus(201); res.setHeader('X-Own', 'v'); res.setContentType('text/css'); res.addCookie(x.cookie('a', 'b')); x.print('done')");
        WORK.put(
                "head read",
                "res.setIntHeader('X-Int', 3); res.getHeader('X-Int'); res.containsHeader('X-Int'); res.getStatus(); res.getContentType(); res.getCharacterEncoding()");
        WORK.put("length", "res.setContentLength(2); x.print('abcd')");
        WORK.put(
                "locale",
                "res.setCharacterEncoding('UTF-8'); res.getCharacterEncoding(); res.setBufferSize(20000); res.getBufferSize()");
        WORK.put("stream then writer", "x.write('o'); x.print('p')");
        WORK.put("writer then stream", "x.print('p'); x.write('o')");
        WORK.put("illegal state", "x.raise('java.lang.IllegalStateException')");
        WORK.put("io exception", "x.raise('java.io.FileNotFoundException')");
        WORK.put("servlet exception", "x.raise('javax.servlet.ServletException')");
        WORK.put("error", "x.raise('java.lang.AssertionError')");
        WORK.put("async flags", "req.isAsyncSupported(); req.isAsyncStarted(); req.getDispatcherType()");
        WORK.put("started", "c = x.startAsync(); res.getWriter().print('started'); c.complete()");
        WORK.put("session", "req.getSession().isNew(); res.encodeURL('x')");
        WORK.put("wrapped", "x.wrapped(); x.print('w')");
        WORK.put("relative", "d = req.getRequestDispatcher('next'); d.forward(req, res)");
        WORK.put("relative include", "d = req.getRequestDispatcher('next?n=1'); d.include(req, res)");
    }

    private DispatchCases() {}

    static void addTo(Cases cases) {
        for (String outer : OUTER) {
            for (String inner : INNER) {
                WORK.forEach((name, work) -> {
                    String wrap = name.equals("wrapped") ? "x.wrap(); " : "";
                    String before = "x.print('begun '); req.setAttribute('own', 'v'); " + wrap;
                    String innerDispatch = "^" + dispatch(inner, "/target/t?q=inner&i=1", "target", 412)
                            + "; req.getServletPath(); res.isCommitted(); x.print(' after inner')";
                    Step step = Step.get("/app/do/x?q=first&f=1");
                    if (outer.equals("plain")) {
                        step.run(0, before + innerDispatch).run(1, work).run(2, "x.paths()");
                    } else {
                        step.run(
                                        0,
                                        before + "^" + dispatch(outer, "/error/mid?q=outer&o=1", "error", 410)
                                                + "; res.isCommitted(); req.getServletPath(); x.print(' after outer'); x.attributes()")
                                .run(1, wrap + innerDispatch)
                                .run(2, work)
                                .run(3, "x.paths()");
                    }
                    cases.add("dispatch/" + outer + " " + inner + " " + name, "/app", step);
                });
            }
        }
        multipart(cases);
        pages(cases);
    }

    private static String dispatch(String kind, String path, String servlet, int status) {
        if (kind.startsWith("named")) {
            return "x.dispatch('" + kind + "', '" + servlet + "')";
        }
        return "x.dispatch('" + kind + "', '" + (kind.equals("error") ? Integer.toString(status) : path) + "')";
    }

    private static void multipart(Cases cases) {
        for (String from : List.of("/app/upload/x", "/app/do/x", "/app/annotated/x")) {
            for (String to : List.of("/do/x", "/upload/x", "/jsp/do.jsp", "/target/t?a=q")) {
                for (String way : List.of("forward", "include", "async")) {
                    for (String look : List.of("", "req.getParameter('a'); ", "x.parts(); ")) {
                        cases.add(
                                "multipart/" + from + " " + way + " " + to + " " + look.strip(),
                                "/app",
                                Step.of("POST", from)
                                        .body("multipart/form-data; boundary=b", MULTIPART)
                                        .run(
                                                0,
                                                look + "^x.dispatch('" + way + "', '" + to
                                                        + "'); req.getParameter('a'); x.parts()")
                                        .run(1, "req.getParameter('a'); x.parts(); x.params(); req.getPart('f')"));
                    }
                }
            }
        }
    }

    /** Pages at the end of two dispatches, and statements around dispatches that come too late or twice. */
    private static void pages(Cases cases) {
        for (String outer : List.of("forward", "include", "async")) {
            for (String inner : List.of("forward", "include", "async")) {
                for (String page : List.of(
                        "/jsp/do.jsp?a=1",
                        "/static/file.txt",
                        "/jsp/include.jsp",
                        "/missing",
                        "/missing.jsp",
                        "/welcome/")) {
                    cases.add(
                            "dispatch/" + outer + " " + inner + " " + page,
                            "/app",
                            Step.get("/app/do/x")
                                    .run(0, "^x.dispatch('" + outer + "', '/target/mid'); res.isCommitted()")
                                    .run(1, "^x.dispatch('" + inner + "', '" + page + "'); res.isCommitted()")
                                    .run(2, "x.paths()"));
                }
            }
        }
        Map<String, String> late = new LinkedHashMap<>();
        late.put("forward after flush", "x.print('a'); res.flushBuffer(); x.dispatch('forward', '/target/t')");
        late.put("forward twice", "x.dispatch('forward', '/target/t'); x.dispatch('forward', '/target/u')");
        late.put(
                "include after forward",
                "x.dispatch('forward', '/target/t'); x.dispatch('include', '/target/u'); x.print('z')");
        late.put("include after close", "x.print('a'); res.getWriter().close(); x.dispatch('include', '/shout')");
        late.put("include twice", "x.dispatch('include', '/shout'); x.print('-'); x.dispatch('include', '/shout')");
        late.put("include after stream", "x.write('a'); x.dispatch('include', '/shout')");
        late.put("include of file after stream", "x.write('a'); x.dispatch('include', '/static/file.txt')");
        late.put("include of file after writer", "x.print('a'); x.dispatch('include', '/static/file.txt')");
        late.put("include of page after stream", "x.write('a'); x.dispatch('include', '/jsp/do.jsp')");
        late.put(
                "forward after writer", "w = res.getWriter(); x.print('a'); x.dispatch('forward', '/static/file.txt')");
        late.put("forward after stream", "x.write('a'); x.dispatch('forward', '/shout')");
        late.put("sendError then forward", "res.sendError(409); x.dispatch('forward', '/shout')");
        late.put("sendError then include", "res.sendError(409); x.dispatch('include', '/shout')");
        late.put(
                "sendError then print",
                "res.sendError(409); x.print('more'); res.setHeader('X-More', '1'); res.setStatus(200)");
        late.put("sendError then sendError", "res.sendError(409); res.sendError(410)");
        late.put("sendError then redirect", "res.sendError(409); res.sendRedirect('/x')");
        late.put("sendError then reset", "res.sendError(409); res.reset(); x.print('kept')");
        late.put("sendError then exception", "res.sendError(409); x.raise('java.lang.IllegalStateException')");
        late.put(
                "print then exception",
                "x.print('lost'); res.setHeader('X-Own', '1'); x.raise('java.lang.IllegalStateException')");
        late.put(
                "flush then exception",
                "x.print('sent'); res.flushBuffer(); x.raise('java.lang.IllegalStateException')");
        late.put("flush then sendError", "x.print('sent'); res.flushBuffer(); res.sendError(409)");
        late.put("redirect then print", "res.sendRedirect('/x'); x.print('more'); res.setHeader('X-More', '1')");
        late.put("redirect then exception", "res.sendRedirect('/x'); x.raise('java.lang.IllegalStateException')");
        late.put(
                "redirect after print",
                "x.print('lost'); res.setHeader('X-Own', '1'); res.addCookie(x.cookie('a', 'b')); res.sendRedirect('/x')");
        late.put("setStatus 409", "res.setStatus(409)");
        late.put("setStatus 410", "res.setStatus(410); x.print('own body')");
        late.put("setStatus 410 empty", "res.setStatus(410)");
        late.put(
                "sendError 410 after head",
                "res.setContentType('text/css'); res.setHeader('X-Own', '1'); res.addCookie(x.cookie('a', 'b')); res.sendError(410)");
        late.put("sendError 411", "res.sendError(411, 'the message')");
        late.put("sendError 413", "res.sendError(413)");
        late.put("sendError 414", "res.sendError(414)");
        late.put("sendError after writer", "x.print('lost'); res.sendError(410)");
        late.put("sendError after stream", "x.write('lost'); res.sendError(410)");
        late.forEach(cases.all("dispatch/late "));
        cases.add(
                "errors/unavailable",
                "/app",
                Step.get("/app/unavailable/x").run(0, "x.raise('javax.servlet.UnavailableException')"),
                Step.get("/app/unavailable/x"));
        for (String type : List.of(
                "java.lang.IllegalStateException",
                "java.lang.IllegalArgumentException",
                "java.io.IOException",
                "java.io.FileNotFoundException",
                "javax.servlet.ServletException",
                "java.lang.Error",
                "java.lang.StackOverflowError",
                "java.util.concurrent.CancellationException",
                "java.util.ConcurrentModificationException")) {
            for (String place : List.of("servlet", "filter before", "filter after", "forward", "include", "async")) {
                Step step = Step.get("/app/do/x");
                String raise = "x.raise('" + type + "')";
                switch (place) {
                    case "servlet" -> step.run(0, raise);
                    case "filter before" -> step.before("all", raise);
                    case "filter after" -> step.after("all", raise);
                    case "async" ->
                        step.run(0, "x.dispatch('async', '/target/t')").run(1, raise);
                    default ->
                        step.run(0, "^x.dispatch('" + place + "', '/target/t')").run(1, raise);
                }
                cases.add("errors/" + type + " in " + place, "/app", step.run(2, "x.attributes()"));
            }
        }
    }
}
