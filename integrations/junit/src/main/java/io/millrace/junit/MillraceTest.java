package io.millrace.junit;

import io.millrace.exchange.HttpHandler;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Starts a server before the tests of a class, its nested classes included, and stops it after them. Exactly one of {@link
 * #handler}, {@link #war} and {@link #webapp} is given. For servlets in code, and for settings, register a {@link MillraceExtension}
 * instead. Test methods and constructors may have the parameters that are listed there.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(MillraceTest.Starter.class)
public @interface MillraceTest {

    /** The handler of all requests; a class with a constructor without parameters. */
    Class<? extends HttpHandler> handler() default HttpHandler.class;

    /** The WAR, packed or unpacked, relative to the directory of the project: {@code target/shop.war}. */
    String war() default "";

    /** The directory with the application's files, relative to that of the project: {@code src/main/webapp}. */
    String webapp() default "";

    /** The context path of a WAR or directory. Default: the root. */
    String contextPath() default "";

    /** Starts what the annotation of a test class, or of the class around it, names. */
    final class Starter extends MillraceExtension {

        /** Called by JUnit. */
        Starter() {
            super(Starter::served);
        }

        private static Served served(ExtensionContext context) {
            Class<?> type = context.getRequiredTestClass();
            MillraceTest test = annotation(type)
                    .orElseThrow(() -> new ExtensionConfigurationException(type.getName() + " has no @MillraceTest"));
            boolean handled = !test.handler().equals(HttpHandler.class);
            int count = (handled ? 1 : 0)
                    + (test.war().isEmpty() ? 0 : 1)
                    + (test.webapp().isEmpty() ? 0 : 1);
            if (count != 1) {
                throw new ExtensionConfigurationException("@MillraceTest of " + type.getName() + " names " + count
                        + " things to serve; give it one of handler, war and webapp");
            }
            if (handled) {
                return Served.handler(() -> create(test.handler()));
            }
            return test.war().isEmpty()
                    ? Served.webapp(Path.of(test.webapp()), test.contextPath())
                    : Served.war(Path.of(test.war()), test.contextPath());
        }

        private static Optional<MillraceTest> annotation(Class<?> type) {
            Optional<MillraceTest> found = AnnotationSupport.findAnnotation(type, MillraceTest.class);
            Class<?> around = type.getEnclosingClass();
            return found.isPresent() || around == null ? found : annotation(around);
        }

        private static HttpHandler create(Class<? extends HttpHandler> type) {
            try {
                Constructor<? extends HttpHandler> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                return constructor.newInstance();
            } catch (ReflectiveOperationException | RuntimeException e) {
                throw new ExtensionConfigurationException(
                        "The handler " + type.getName()
                                + " cannot be created: it needs a constructor without parameters"
                                + " (and must be static if it is a nested class)",
                        e);
            }
        }
    }
}
