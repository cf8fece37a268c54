package io.millrace.servlet.deploy.scan;

import java.util.List;
import org.jboss.jandex.Index;

/**
 * The scan result of WEB-INF/classes or a JAR. Depends only on the place and the scan target, so it can be cached between starts.
 *
 * @param index the classes that mention a relevant annotation
 * @param headers the headers of all classes; empty if no initializer handles types
 */
public record ScannedPlace(Index index, List<ClassHeader> headers) {}
