/** A chat with Spring Boot 2.7: HTTP, STOMP over WebSocket and over SockJS. It knows nothing of Millrace. */
@NullMarked
package io.millrace.examples.boot;

import org.jspecify.annotations.NullMarked;
