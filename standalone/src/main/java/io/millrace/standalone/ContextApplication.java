package io.millrace.standalone;

import io.millrace.files.CacheLimits;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.cookie.SameSite;
import io.millrace.servlet.identity.DigestAlgorithm;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.security.LoginOptions;
import io.millrace.servlet.security.SpnegoOptions;
import io.millrace.servlet.session.CrawlerRule;
import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.settings.DrainingRule;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.SessionValves;
import io.millrace.standalone.config.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Does to a web application what its Context elements say. */
final class ContextApplication {

    private ContextApplication() {}

    /**
     * Before it starts.
     *
     * @param work the application's own directory; null if that is a temporary one
     * @param shared what ResourceLink elements lead to
     * @param base what relative paths begin at
     * @param sessionValves those of its host
     * @param inDatabases its name in tables of sessions
     * @throws OperatorException if something that it names can't be used, and why
     */
    static void apply(
            ContextSettings context,
            WebApplication application,
            @Nullable Path work,
            SharedResources shared,
            Path base,
            List<Values> sessionValves,
            String inDatabases)
            throws OperatorException {
        application.crossContext(context.flag("crossContext"));
        application.delegate(context.loader().flag("delegate"));
        Values files = context.files();
        application.files(cache(files), context.links());
        application.jarFilter(context.jarFilter());
        application.extraResources(context.extraResources(base));
        application.sameSite(SameSite.valueOf(
                context.cookieProcessor().text("sameSiteCookies", "unset").toUpperCase(Locale.ROOT)));
        List<Values> valves = new ArrayList<>(sessionValves);
        valves.addAll(context.sessionValves());
        SessionSettings sessions =
                new SessionManager(context, valves, work, application.contextPath(), inDatabases).settings(shared);
        Values crawlers = SessionValves.last(SessionValves.CRAWLERS, valves);
        application.sessions(crawlers == null ? sessions : sessions.with(rule(crawlers)));
        valves.stream()
                .filter(valve -> SessionValves.DRAINING.equals(valve.text("className")))
                .forEach(valve -> application.draining(new DrainingRule(
                        valve.number("redirectStatusCode"),
                        valve.text("ignoreCookieName"),
                        valve.text("ignoreCookieValue"))));
        String timeout = context.text("sessionTimeout");
        if (timeout != null) {
            application.model(model -> model.session.timeoutMinutes =
                    model.session.timeoutSaid ? model.session.timeoutMinutes : Integer.parseInt(timeout.strip()));
        }
        context.parameters().forEach(parameter -> add(parameter, application));
        NamedResources.add(context, application, shared);
        login(context, application);
    }

    /** How users log in. */
    static void login(ContextSettings context, WebApplication application) {
        Values authenticator = context.authenticator();
        if (authenticator != null) {
            application.loginOptions(loginOptions(authenticator));
            application.model(model -> model.loginConfig = login(authenticator, model.loginConfig));
        }
    }

    /** An authenticator of the Context decides how users log in, whatever web.xml says, as in Tomcat. */
    static LoginConfigModel login(Values authenticator, @Nullable LoginConfigModel inWebXml) {
        String type = authenticator.text("className", "");
        String method = switch (type.substring(type.lastIndexOf('.') + 1)) {
            case "BasicAuthenticator" -> "BASIC";
            case "DigestAuthenticator" -> "DIGEST";
            case "FormAuthenticator" -> "FORM";
            case "SSLAuthenticator" -> "CLIENT-CERT";
            case "SpnegoAuthenticator" -> "SPNEGO";
            default -> "NONE"; // asks nobody: what needs a login stays closed
        };
        if (inWebXml == null) {
            return new LoginConfigModel(method, null, null, null);
        }
        return method.equals(inWebXml.method())
                ? inWebXml
                : new LoginConfigModel(method, inWebXml.realm(), inWebXml.loginPage(), inWebXml.errorPage());
    }

    /** Sizes are in KiB, as in Tomcat. */
    private static CacheLimits cache(Values files) {
        if (!files.flag("cachingAllowed")) {
            return CacheLimits.NONE;
        }
        CacheLimits otherwise = WebApplication.FILE_CACHE;
        return otherwise
                .withBytes(
                        files.number("cacheMaxSize", otherwise.bytes() >> 10) << 10,
                        files.number("cacheObjectMaxSize", otherwise.fileBytes() >> 10) << 10)
                .withFreshness(Duration.ofMillis(
                        files.number("cacheTtl", otherwise.freshness().toMillis())));
    }

    private static LoginOptions loginOptions(Values valve) {
        LoginOptions options = LoginOptions.DEFAULTS.withCaching(
                valve.flag("disableProxyCaching"), valve.flag("securePagesWithPragma"));
        String algorithms = valve.has("algorithms") ? valve.text("algorithms") : null;
        if (algorithms != null) {
            options = options.withDigest(
                    valve.duration("nonceValidity"),
                    Stream.of(algorithms.split(",", -1))
                            .map(name -> DigestAlgorithm.valueOf(name.strip().replace('-', '_')))
                            .toArray(DigestAlgorithm[]::new));
        }
        if (valve.has("authenticationSessionTimeout")) {
            options = options.withAuthenticationTimeout(
                    Duration.ofSeconds(valve.number("authenticationSessionTimeout", 120)));
        }
        if (valve.has("loginConfigName")) {
            String agents = valve.text("noKeepAliveUserAgents");
            options = options.withSpnego(new SpnegoOptions(
                    valve.text("loginConfigName", ""),
                    null,
                    valve.flag("storeDelegatedCredential"),
                    agents == null ? null : Pattern.compile(agents)));
        }
        String page = valve.has("landingPage") ? valve.text("landingPage") : null;
        return page == null ? options : options.withLandingPage(page);
    }

    /** Unless it says override="false", what web.xml says counts. */
    private static void add(Values parameter, WebApplication application) {
        String name = parameter.text("name");
        String value = parameter.text("value");
        if (name != null && value != null) {
            application.model(model -> {
                if (parameter.flag("override")) {
                    model.contextParameters.putIfAbsent(name, value);
                } else {
                    model.contextParameters.put(name, value);
                }
            });
        }
    }

    private static CrawlerRule rule(Values valve) {
        String addresses = valve.text("crawlerIps");
        return new CrawlerRule(
                Pattern.compile(valve.text("crawlerUserAgents", "")),
                addresses == null ? null : Pattern.compile(addresses),
                valve.number("sessionInactiveInterval"));
    }
}
