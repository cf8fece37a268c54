package io.millrace.servlet.app;

import java.util.List;
import javax.servlet.ServletRequestAttributeListener;
import javax.servlet.ServletRequestListener;

/**
 * The listeners of an application's requests. The lists may grow until the application has started.
 *
 * @param requests notified when a request enters the application and when it leaves
 * @param attributes notified of changes of the requests' attributes
 */
public record RequestListeners(
        List<ServletRequestListener> requests, List<ServletRequestAttributeListener> attributes) {}
