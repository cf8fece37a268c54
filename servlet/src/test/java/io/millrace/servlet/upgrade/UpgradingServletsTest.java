package io.millrace.servlet.upgrade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URL;
import java.util.stream.Stream;
import javax.servlet.Servlet;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpUpgradeHandler;
import javax.servlet.http.WebConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which servlets are called for a tunnel: it … */
final class UpgradingServletsTest {

    static Stream<Arguments> servlets() {
        return Stream.of(
                Arguments.of(new Plain(), false),
                Arguments.of(new Upgrader(), true),
                Arguments.of(new Inheriting(), true),
                Arguments.of(new Delegating(), true));
    }

    @ParameterizedTest
    @MethodSource("servlets")
    void readsFromClassesWhetherTheyUpgrade(Servlet servlet, boolean expected) {
        assertEquals(expected, UpgradingServlets.mayUpgrade(servlet));
    }

    @Test
    void takesAClassWithoutAFileForOneThatMay() {
        Object proxy = Proxy.newProxyInstance(
                UpgradingServletsTest.class.getClassLoader(),
                new Class<?>[] {Servlet.class},
                (self, method, args) -> null);
        assertTrue(UpgradingServlets.mayUpgrade((Servlet) proxy));
    }

    /** Its DispatcherServlet is as plain a class as any. */
    @Test
    void takesAllOfAnApplicationWithSpringsWebSocketsForOnesThatMay() throws Exception {
        ClassLoader loader = new ClassLoader(UpgradingServletsTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (!name.equals(Plain.class.getName())) {
                    return super.loadClass(name, resolve);
                }
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                try (var in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                    if (in == null) {
                        throw new ClassNotFoundException(name);
                    }
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }

            @Override
            public URL getResource(String name) {
                try {
                    return name.startsWith("org/springframework/web/socket/")
                            ? URI.create("file:/spring").toURL()
                            : super.getResource(name);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        };
        Constructor<?> constructor = loader.loadClass(Plain.class.getName()).getDeclaredConstructor();
        constructor.setAccessible(true); // another loader's package is another package
        Servlet servlet = (Servlet) constructor.newInstance();
        assertTrue(UpgradingServlets.mayUpgrade(servlet));
    }
}

/** A page. */
final class Plain extends HttpServlet {}

/** Upgrades itself. */
class Upgrader extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        request.upgrade(Silent.class);
    }
}

/** By its superclass. */
final class Inheriting extends Upgrader {}

/** By a nested class. */
final class Delegating extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        new Object() {
            void upgrade() throws ServletException, IOException {
                request.upgrade(Silent.class);
            }
        }.upgrade();
    }
}

/** Does nothing. */
final class Silent implements HttpUpgradeHandler {
    @Override
    public void init(WebConnection connection) {}

    @Override
    public void destroy() {}
}
