/** What a server is made of below its applications and connectors: addresses listened on, gates, the transports at hand. */
@NullMarked
package io.millrace.server;

import org.jspecify.annotations.NullMarked;
