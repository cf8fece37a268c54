/** Verification of users: the SPI of identity stores, and the stores of the container. */
@NullMarked
package io.millrace.servlet.identity;

import org.jspecify.annotations.NullMarked;
