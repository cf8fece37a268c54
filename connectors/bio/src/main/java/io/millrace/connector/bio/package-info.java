/** The BIO transport. */
@NullMarked
package io.millrace.connector.bio;

import org.jspecify.annotations.NullMarked;
