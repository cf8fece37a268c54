package io.millrace.servlet.session;

import io.millrace.Application;
import io.millrace.ServerContext;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.io.BufferPool;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.metrics.MetricGroup;
import io.millrace.metrics.Metrics;
import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.model.SessionConfigModel;
import io.millrace.servlet.settings.SameSite;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import javax.servlet.ServletContext;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/** An application's sessions without the application: requests are made of carriers, and time is a number. */
final class SessionFixture implements AutoCloseable {

    final AtomicLong now = new AtomicLong(1_000_000);
    final SessionConfigModel model = new SessionConfigModel();

    private final Timers timers;

    SessionFixture() {
        this(new Timers("test"));
    }

    SessionFixture(Timers timers) {
        this.timers = timers;
    }

    @Override
    public void close() {
        timers.close();
    }

    Sessions sessions() {
        return sessions(SessionSettings.DEFAULT);
    }

    Sessions sessions(SessionSettings settings) {
        return sessions(settings, null, SameSite.UNSET);
    }

    Sessions sessions(SessionSettings settings, @Nullable String jvmRoute, SameSite sameSite) {
        return new Sessions(
                context(), model, settings, new CookieWriter(sameSite), jvmRoute, false, server(), now::get);
    }

    Sessions distributable() {
        return new Sessions(
                context(),
                model,
                SessionSettings.DEFAULT,
                new CookieWriter(SameSite.UNSET),
                null,
                true,
                server(),
                now::get);
    }

    static HttpSession made(RequestSession request) {
        return Objects.requireNonNull(request.get(true));
    }

    /** A request with this Cookie field. */
    static RequestHead head(String cookies) {
        Headers headers = new Headers();
        headers.add("Cookie", cookies);
        return new RequestHead(
                "GET",
                "/app/x",
                new RequestPath("/app/x", "/app/x", null),
                null,
                HttpVersion.HTTP_1_1,
                "http",
                null,
                headers,
                0);
    }

    private static ServletContext context() {
        ClassLoader loader = SessionFixture.class.getClassLoader();
        return (ServletContext) Proxy.newProxyInstance(
                loader, new Class<?>[] {ServletContext.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getContextPath" -> "/app";
                    case "getClassLoader" -> loader;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private ServerContext server() {
        return server(Runnable::run);
    }

    ServerContext server(Executor workers) {
        return new ServerContext() {
            @Override
            public MetricGroup metrics() {
                return new MetricGroup(new Metrics());
            }

            @Override
            public Executor workers() {
                return workers;
            }

            @Override
            public int maxRunning() {
                return 20;
            }

            @Override
            public Timers timers() {
                return timers;
            }

            @Override
            public BufferPool buffers() {
                return new BufferPool(BufferPool.BUFFER_SIZE);
            }

            @Override
            public Dialer dialer() {
                throw new UnsupportedOperationException();
            }

            @Override
            public @Nullable Application application(String path) {
                return null;
            }
        };
    }

    /** One request and its response. */
    static final class Exchange implements SessionCarrier {

        boolean secure;
        boolean committed;

        private final Headers response = new Headers();
        private Cookie[] cookies = {};
        private @Nullable String path;
        private @Nullable String tlsSessionId;

        Exchange cookie(String value) {
            return cookies(new Cookie("JSESSIONID", value));
        }

        Exchange cookies(Cookie... all) {
            cookies = all;
            return this;
        }

        Exchange path(String parameters) {
            path = parameters;
            return this;
        }

        Exchange tls(String id) {
            tlsSessionId = id;
            return this;
        }

        @Override
        public Cookie[] cookies() {
            return cookies;
        }

        @Override
        public @Nullable String pathParameters() {
            return path;
        }

        @Override
        public boolean isSecure() {
            return secure;
        }

        @Override
        public @Nullable String tlsSessionId() {
            return tlsSessionId;
        }

        @Override
        public String requestUrl() {
            return "http://host/app/here";
        }

        @Override
        public boolean isCommitted() {
            return committed;
        }

        @Override
        public @Nullable String userAgent() {
            return null;
        }

        @Override
        public String clientAddress() {
            return "127.0.0.1";
        }

        @Override
        public Headers responseHeaders() {
            return response;
        }
    }
}
