package io.millrace.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * On a case of a contract: it depends on the transport (idle timeouts, ends and resets, drains, files, back-pressure, threads), and
 * classes that run the contract {@linkplain InPart in part} run it too.
 */
@Tag("differs-by-transport")
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface DiffersByTransport {}
