package io.millrace.standalone.differential;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The ServletContext, the class loader and JNDI as an application sees them. */
final class ContextCases {

    private static final List<String> RESOURCES = List.of(
            "/",
            "",
            "/index.html",
            "index.html",
            "/static",
            "/static/",
            "/static/file.txt",
            "static/file.txt",
            "//static/file.txt",
            "/static//file.txt",
            "/static/../index.html",
            "/../index.html",
            "/static/./file.txt",
            "/WEB-INF/web.xml",
            "/WEB-INF/",
            "/WEB-INF/classes/own.properties",
            "/META-INF/context.xml",
            "/missing",
            "/static%20page.html",
            "/static page.html",
            "/static\\file.txt",
            "/STATIC/file.txt",
            "/static/file.txt/",
            "/static/file.txt?x",
            "/secret dir/s.txt",
            "/..",
            "/.",
            "/static/file.txt;a=b");

    private static final List<String> CLASS_RESOURCES = List.of(
            "own.properties",
            "/own.properties",
            "",
            "/",
            ".",
            "./own.properties",
            "../web.xml",
            "../",
            "..",
            "../../index.html",
            "META-INF/context.xml",
            "missing",
            "/missing",
            "io/millrace/standalone/differential/probe/ScriptServlet.class",
            "/io/millrace/standalone/differential/probe/ScriptServlet.class",
            "javax/servlet/Servlet.class",
            "java/lang/Object.class",
            "//own.properties",
            "io/../own.properties",
            "own.properties/",
            "io",
            "io/");

    private ContextCases() {}

    static void addTo(Cases cases) {
        for (String path : RESOURCES) {
            String quoted = "`" + path + "`";
            cases.script(
                    "context resources/" + path,
                    "x.below(ctx.getResource(" + quoted + ")); x.text(ctx.getResourceAsStream(" + quoted
                            + ")).length(); ctx.getResourcePaths(" + quoted + "); x.below(ctx.getRealPath(" + quoted
                            + ")); ctx.getRequestDispatcher(" + quoted + ")");
        }
        for (String name : CLASS_RESOURCES) {
            String quoted = "`" + name + "`";
            cases.script(
                    "class resources/" + name,
                    "x.loader().getResource(" + quoted + "); x.loader().getResourceAsStream(" + quoted
                            + ").close(); x.loader().getResources(" + quoted + ").hasMoreElements()");
        }
        Map<String, String> scripts = new LinkedHashMap<>();
        scripts.put(
                "names",
                "ctx.getContextPath(); ctx.getServletContextName(); ctx.getMajorVersion(); ctx.getMinorVersion(); ctx.getEffectiveMajorVersion(); ctx.getEffectiveMinorVersion(); ctx.getVirtualServerName()");
        scripts.put(
                "parameters",
                "ctx.getInitParameter('greeting'); ctx.getInitParameter('none'); ctx.getInitParameterNames(); ctx.getInitParameter(null)");
        scripts.put("late parameter", "ctx.setInitParameter('a', 'b')");
        scripts.put(
                "mime",
                "ctx.getMimeType('a.probe'); ctx.getMimeType('a.html'); ctx.getMimeType('a.HTML'); ctx.getMimeType('a'); ctx.getMimeType('.html'); ctx.getMimeType('a.js'); ctx.getMimeType('a.json'); ctx.getMimeType('a.mjs'); ctx.getMimeType('a.svg'); ctx.getMimeType('a.woff2'); ctx.getMimeType('a.webp'); ctx.getMimeType('a.xml'); ctx.getMimeType('a.tar.gz'); ctx.getMimeType('a.wasm'); ctx.getMimeType('a.'); ctx.getMimeType(null)");
        scripts.put(
                "attributes",
                "ctx.getAttribute('javax.servlet.context.orderedLibs'); ctx.getAttribute('none'); ctx.getAttribute(null); ctx.setAttribute(null, 1)");
        scripts.put("tomcat attributes", "ctx.getAttribute('org.apache.catalina.resources')");
        scripts.put(
                "registrations",
                "ctx.getServletRegistrations().size(); x.set(ctx.getServletRegistration('do').getMappings()); x.set(ctx.getServletRegistration('encoded').getMappings()); x.set(ctx.getServletRegistration('annotated').getMappings()); x.set(ctx.getServletRegistration('coded').getMappings()); ctx.getServletRegistration('none'); ctx.getFilterRegistration('all').getUrlPatternMappings(); ctx.getFilterRegistration('named').getServletNameMappings(); ctx.getServletRegistration('page').getInitParameters(); x.set(ctx.getServletRegistration('default').getMappings()); x.set(ctx.getServletRegistration('jsp').getMappings())");
        scripts.put(
                "late registration",
                "ctx.addServlet('late', 'x'); ctx.addFilter('late', 'x'); ctx.addListener('x'); ctx.addJspFile('a', '/b.jsp')");
        scripts.put(
                "contexts",
                "ctx.getContext('/'); ctx.getContext('/app').getContextPath(); ctx.getContext('/guard'); ctx.getContext('app'); ctx.getContext('')");
        scripts.put(
                "named",
                "ctx.getNamedDispatcher('do'); ctx.getNamedDispatcher('none'); ctx.getNamedDispatcher(null); ctx.getNamedDispatcher('default'); ctx.getNamedDispatcher('jsp')");
        scripts.put(
                "dispatchers",
                "ctx.getRequestDispatcher(null); ctx.getRequestDispatcher('x'); ctx.getRequestDispatcher('/x'); req.getRequestDispatcher(null); req.getRequestDispatcher('')");
        scripts.put(
                "session settings",
                "c = ctx.getSessionCookieConfig(); c.getName(); c.getPath(); c.getDomain(); c.isHttpOnly(); c.isSecure(); c.getMaxAge(); c.setName('late'); ctx.getDefaultSessionTrackingModes(); ctx.getEffectiveSessionTrackingModes(); ctx.getSessionTimeout(); ctx.setSessionTimeout(1)");
        scripts.put(
                "encodings",
                "ctx.getRequestCharacterEncoding(); ctx.getResponseCharacterEncoding(); ctx.setRequestCharacterEncoding('UTF-8')");
        scripts.put(
                "jsp config",
                "ctx.getJspConfigDescriptor().getJspPropertyGroups().size(); ctx.getJspConfigDescriptor().getTaglibs().size()");
        scripts.put("old methods", "ctx.getServlet('do'); ctx.getServlets(); ctx.getServletNames()");
        scripts.put("temporary directory", "ctx.getAttribute('javax.servlet.context.tempdir').isDirectory()");
        scripts.put(
                "jndi",
                "x.jndi('java:comp/env/count'); x.jndi('java:comp/env/deep/text'); x.jndi('java:comp/env/letter'); x.jndi('java:comp/env/flag'); x.jndi('java:comp/env/fromContext'); x.jndi('java:comp/env/without'); x.jndi('java:comp/env/none'); x.jndi('java:comp/none'); x.jndi('count'); x.jndi('java:/comp/env/count'); x.jndi('java:comp/env').lookup('count'); x.jndi('java:comp/env').lookup('deep').lookup('text'); x.jndi('java:comp/env').bind('a', 1); x.jndi('java:comp/env').getNameInNamespace(); x.jndi('java:comp/env/deep').list('').hasMore(); x.jndi('java:global'); x.jndi('java:comp/UserTransaction')");
        scripts.put("jndi on a thread", "x.thread(\"x.jndi('java:comp/env/count')\")");
        scripts.forEach(cases.all("context/"));
    }
}
