package io.millrace.servlet;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A class whose tests run on the default transport, whole and a byte at a time; {@code ./verify --soak} runs them on all. Its constructor
 * takes the {@link Carrier}.
 */
@Tag("pairs")
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ParameterizedClass
@MethodSource("io.millrace.servlet.Carrier#chosen")
@interface OnDefaultCarriers {}
