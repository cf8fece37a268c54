package io.millrace.standalone.admin;

import io.millrace.ConnectorState;
import io.millrace.standalone.admin.Administration.Listed;
import io.millrace.tls.TlsReport;
import io.millrace.tls.material.ReloadingEngines;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.Part;
import org.jspecify.annotations.Nullable;

/**
 * The manager for people: one page with the applications and a form for each action, without script. What changes something is a POST;
 * the filter of the application's own descriptor demands the nonce that each form's address has.
 */
public final class HtmlManagerServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** What a POST may ask for. */
    private static final Set<String> ACTIONS = Set.of(
            "/start",
            "/stop",
            "/reload",
            "/undeploy",
            "/expire",
            "/deploy",
            "/upload",
            "/findleaks",
            "/sslReload",
            "/sessions",
            "/threaddump",
            "/sslConnectorCiphers",
            "/sslConnectorCerts",
            "/sslConnectorTrustedCerts");

    private static final String WAR = "deployWar";

    private static final List<String> COLUMNS = List.of("Path", "State", "Sessions#", "Actions");

    private static final List<String> CONNECTORS =
            List.of("Connector", "Address", "TLS", "Connections#", "Busy threads#", "Requests#");

    /** Creates the servlet. */
    public HtmlManagerServlet() {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String command = ManagerServlet.command(request);
        boolean isList = command == null || command.equals("/list");
        show(
                request,
                response,
                isList
                        ? ""
                        : "FAIL - " + (ACTIONS.contains(command) ? "Use a form for" : "Unknown command") + " ["
                                + command + "]");
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        String command = ManagerServlet.command(request);
        TextCommands commands = ManagerServlet.commands(getServletContext());
        String answer;
        if (command == null || !ACTIONS.contains(command)) {
            answer = "FAIL - Unknown command [" + command + "]";
        } else if (command.equals("/upload")) {
            answer = upload(commands, request);
        } else {
            answer = commands.run(command, new ByForm(request, null, null));
        }
        show(request, response, answer.strip());
    }

    private static String upload(TextCommands commands, HttpServletRequest request) throws IOException {
        try {
            Part part = request.getPart(WAR);
            String name = part == null ? null : part.getSubmittedFileName();
            if (part == null || name == null || name.isEmpty()) {
                return "FAIL - No file was chosen";
            }
            String file = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
            if (!file.toLowerCase(Locale.ROOT).endsWith(".war")) {
                return "FAIL - File uploaded [" + file + "] must be a .war";
            }
            return commands.upload("/deploy", new ByForm(request, part, file));
        } catch (ServletException | IllegalStateException | InvalidPathException e) {
            return "FAIL - " + e.getMessage();
        }
    }

    /** Parameters of a form, where a field that was left empty is absent. */
    private static final class ByForm extends ManagerServlet.OfServlet {

        private final HttpServletRequest request;
        private final @Nullable Part part;
        private final @Nullable String file;

        /** @param file names the application, unless the form has a path */
        ByForm(HttpServletRequest request, @Nullable Part part, @Nullable String file) {
            super(request);
            this.request = request;
            this.part = part;
            this.file = file;
        }

        @Override
        public @Nullable String parameter(String name) {
            String form = switch (name) {
                case "path" -> "deployPath";
                case "version" -> "deployVersion";
                case "config" -> "deployConfig";
                case "war" -> WAR;
                default -> name;
            };
            String value = request.getParameter(name);
            if (value == null && part == null) {
                value = request.getParameter(form);
            } else if (value == null && (name.equals("path") || name.equals("version"))) {
                value = request.getParameter(form);
            }
            if (value == null || value.isBlank()) {
                return name.equals("war") && file != null ? file : name.equals("idle") ? value : null;
            }
            return value.strip();
        }

        @Override
        public InputStream body() throws IOException {
            return part == null ? InputStream.nullInputStream() : part.getInputStream();
        }
    }

    private void show(HttpServletRequest request, HttpServletResponse response, String message) throws IOException {
        ManagerPage.protect(response);
        Administration host = ManagerServlet.administration(getServletContext());
        ManagerPage page = new ManagerPage("Applications of " + host.host(), request, response);
        if (!message.isEmpty()) {
            page.markup(message.startsWith("OK") ? "<div class=\"message\">" : "<div class=\"message failed\">")
                    .text(message)
                    .markup("</div>\n");
        }
        Forms forms = new Forms(page, request, response);
        page.table(COLUMNS);
        host.list().forEach(forms::application);
        page.endTable();
        page.heading("Deploy a file on the server");
        forms.begin("/deploy", "");
        forms.field("deployPath", "Context path");
        forms.field("deployVersion", "Version");
        forms.field("deployConfig", "Context file");
        forms.field(WAR, "WAR or directory");
        forms.end("Deploy");
        page.heading("Upload a WAR");
        forms.begin("/upload", " enctype=\"multipart/form-data\"");
        page.markup("<label>File <input type=\"file\" name=\"" + WAR + "\" accept=\".war\" required></label>");
        forms.field("deployPath", "Context path, if not by its name");
        forms.field("deployVersion", "Version");
        page.markup("<label>Replace a running one <input type=\"checkbox\" name=\"update\" value=\"true\"></label>");
        forms.end("Upload and deploy");
        page.heading("Connectors");
        page.table(CONNECTORS);
        host.server().connectors().forEach(state -> connector(page, state));
        page.endTable();
        page.heading("Diagnostics");
        forms.action("/findleaks?statusLine=true", "Find memory leaks (collects garbage)");
        forms.action("/threaddump", "Thread dump");
        forms.action("/sslReload", "Read certificates again");
        forms.action("/sslConnectorCiphers", "Ciphers");
        forms.action("/sslConnectorCerts", "Certificates");
        forms.action("/sslConnectorTrustedCerts", "Trusted certificates");
        page.markup("<footer>Millrace ")
                .text(host.server().version())
                .markup(" on Java ")
                .text(Runtime.version().toString())
                .markup(", ")
                .text(System.getProperty("os.name") + " " + System.getProperty("os.version"))
                .markup("</footer>\n");
        response.getWriter().print(page.end());
    }

    private static void connector(ManagerPage page, ConnectorState state) {
        page.row(
                CONNECTORS,
                state.name(),
                StatusServlet.shown(state.address()),
                tls(state),
                state.open(),
                state.requests().running(),
                state.requests().totals().requests());
    }

    private static String tls(ConnectorState state) {
        if (state.connector().tls() == null) {
            return "-";
        }
        return ReloadingEngines.inspect(state.connector().tls()).hosts().stream()
                .map(HtmlManagerServlet::host)
                .collect(Collectors.joining("; "));
    }

    private static String host(TlsReport.Host host) {
        return host.name()
                + host.chains().stream().map(chain -> until(chain.get(0))).collect(Collectors.joining(", ", " (", ")"));
    }

    private static String until(X509Certificate certificate) {
        return certificate.getPublicKey().getAlgorithm() + " until "
                + certificate.getNotAfter().toInstant().toString().substring(0, "2026-01-01".length());
    }

    /** The forms of a page, each with an address that has the nonce. */
    private static final class Forms {

        private final ManagerPage page;
        private final HttpServletRequest request;
        private final HttpServletResponse response;

        Forms(ManagerPage page, HttpServletRequest request, HttpServletResponse response) {
            this.page = page;
            this.request = request;
            this.response = response;
        }

        void application(Listed each) {
            String path = each.path();
            String version = each.name().version();
            page.markup("<tr>").cell(COLUMNS.get(0));
            if (each.running()) {
                page.link(encodedPath(path), path);
            } else {
                page.text(path);
            }
            String more = (version.isEmpty() ? "" : " version " + version)
                    + (each.displayName().isEmpty() ? "" : " " + each.displayName());
            page.markup(" <span class=\"soft\">").text(more).markup("</span>");
            page.cell(COLUMNS.get(1)).markup(each.running() ? "running" : "<span class=\"down\">stopped</span>");
            page.cell(COLUMNS.get(2)).text(String.valueOf(each.sessions()));
            page.cell(COLUMNS.get(3));
            String query = "?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8)
                    + (version.isEmpty() ? "" : "&version=" + URLEncoder.encode(version, StandardCharsets.UTF_8));
            boolean itself = each.name().path().equals(request.getContextPath());
            if (!itself && each.running()) {
                action("/stop" + query, "Stop");
                action("/reload" + query, "Reload");
            } else if (!itself) {
                action("/start" + query, "Start");
            }
            if (!itself) {
                action("/undeploy" + query, "Undeploy");
            }
            if (each.running()) {
                action("/sessions" + query, "Sessions");
                form("/expire" + query, "");
                page.markup(
                        "<label>idle for <input type=\"number\" name=\"idle\" min=\"0\" value=\"30\"> minutes</label>"
                                + " <button>Expire</button></form>");
            }
            page.markup("</tr>\n");
        }

        private static String encodedPath(String path) {
            return path.equals("/")
                    ? path
                    : List.of(path.substring(1).split("/")).stream()
                            .map(part -> "/"
                                    + URLEncoder.encode(part, StandardCharsets.UTF_8)
                                            .replace("+", "%20"))
                            .collect(Collectors.joining("", "", "/"));
        }

        private void form(String command, String attributes) {
            page.markup("<form method=\"post\" action=\"")
                    .text(response.encodeURL(request.getContextPath() + request.getServletPath() + command))
                    .markup("\"" + attributes + ">");
        }

        void action(String command, String label) {
            form(command, "");
            page.markup("<button>").text(label).markup("</button></form>");
        }

        void begin(String command, String attributes) {
            form(command, attributes + " class=\"block\"");
        }

        void field(String name, String label) {
            page.markup("<label>").text(label).markup(" <input name=\"" + name + "\"></label>");
        }

        void end(String label) {
            page.markup("<button>").text(label).markup("</button></form>\n");
        }
    }
}
