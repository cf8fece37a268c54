/** Restores client addresses and schemes from the header fields of trusted front ends: X-Forwarded-… and Forwarded. */
@NullMarked
package io.millrace.forwarded;

import org.jspecify.annotations.NullMarked;
