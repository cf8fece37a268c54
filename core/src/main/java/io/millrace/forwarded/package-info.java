/** What a front end says in header fields of the request it received: X-Forwarded-… and Forwarded, with trust. */
@NullMarked
package io.millrace.forwarded;

import org.jspecify.annotations.NullMarked;
