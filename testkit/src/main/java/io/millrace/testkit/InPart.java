package io.millrace.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * On a class that inherits a contract: another class runs the contract whole, on another transport, over another protocol or with
 * another TLS implementation, and this one runs the cases with {@link DiffersByTransport}. All others run by {@code ./verify --soak}.
 */
@Tag("in-part")
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface InPart {}
