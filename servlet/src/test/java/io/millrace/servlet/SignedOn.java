package io.millrace.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.model.LoginConfigModel;
import io.millrace.servlet.model.SecurityConstraintModel;
import io.millrace.servlet.model.SecurityConstraintModel.Resources;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionListener;

/** Applications with single sign-on, and those who use them. */
final class SignedOn {

    private SignedOn() {}

    /** A browser's cookies by path and name. */
    static final class Browser {

        private Deployed server;
        final Map<String, String> cookies = new TreeMap<>();

        Browser(Deployed server) {
            this.server = server;
        }

        /** Its next requests go to another server. */
        Browser on(Deployed other) {
            server = other;
            return this;
        }

        HttpResponse<String> get(String path, String... fields) throws Exception {
            HttpRequest.Builder request = server.request(path);
            String brought = cookies.entrySet().stream()
                    .filter(cookie -> path.startsWith(cookie.getKey().split(" ", 2)[0]))
                    .map(cookie -> cookie.getKey().split(" ", 2)[1] + "=" + cookie.getValue())
                    .collect(Collectors.joining("; "));
            if (!brought.isEmpty()) {
                request.header("Cookie", brought);
            }
            for (int i = 0; i < fields.length; i += 2) {
                request.header(fields[i], fields[i + 1]);
            }
            HttpResponse<String> answer = server.send(request);
            answer.headers().allValues("Set-Cookie").forEach(this::take);
            return answer;
        }

        private void take(String field) {
            String path = field.replaceFirst(".*; Path=([^;]*).*", "$1");
            String[] pair = field.substring(0, field.indexOf(';')).split("=", 2);
            if (field.contains("Max-Age=0")) {
                cookies.remove(path + " " + pair[0]);
            } else {
                cookies.put(path + " " + pair[0], pair[1]);
            }
        }

        String cookie(String path, String name) {
            return cookies.getOrDefault(path + " " + name, "");
        }

        HttpResponse<String> login(String path, String password) throws Exception {
            String credentials = Base64.getEncoder().encodeToString(("ann:" + password).getBytes(UTF_8));
            return get(path, "Authorization", "Basic " + credentials);
        }
    }

    static IdentityStore users(String password) {
        return (name, given) -> given.equals(password) ? new Identity(name, Set.of("user")) : null;
    }

    /** @param ended gets the path of each application of which a session ends */
    static WebApplication application(String path, String method, List<String> ended) {
        Serving who = Serving.with((request, response) ->
                response.getWriter().print(request.getRemoteUser() + " " + request.getAuthType()));
        HttpSessionListener listener = new HttpSessionListener() {
            @Override
            public void sessionCreated(HttpSessionEvent event) {}

            @Override
            public void sessionDestroyed(HttpSessionEvent event) {
                ended.add(path);
            }
        };
        return WebApplication.builder(path)
                .servlet("who", who, "/")
                .servlet("logout", Serving.with((request, response) -> request.logout()), "/logout")
                .servlet(
                        "invalidate",
                        Serving.with((request, response) -> request.getSession().invalidate()),
                        "/invalidate")
                .servlet(
                        "session",
                        Serving.with((request, response) ->
                                response.getWriter().print(request.getSession().getId())),
                        "/session")
                .servlet("login", Serving.with((request, response) -> request.login("ann", "right")), "/login")
                .listener(listener)
                .model(model -> {
                    model.loginConfig = new LoginConfigModel(method, "realm", "/loginpage", "/errorpage");
                    model.securityConstraints.add(new SecurityConstraintModel(
                            List.of(new Resources(List.of("/private/*"), List.of(), List.of())),
                            List.of("user"),
                            false));
                })
                .build();
    }
}
