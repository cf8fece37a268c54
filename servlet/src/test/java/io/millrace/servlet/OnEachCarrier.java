package io.millrace.servlet;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A class whose tests depend on the transport: they run on each, and on the default one a byte at a time. Its constructor takes the
 * {@link Carrier}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ParameterizedClass
@MethodSource("io.millrace.servlet.Carrier#all")
@interface OnEachCarrier {}
