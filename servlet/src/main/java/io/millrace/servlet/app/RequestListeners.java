package io.millrace.servlet.app;

import java.util.List;
import javax.servlet.ServletRequestAttributeListener;
import javax.servlet.ServletRequestListener;

/**
 * What listens to the requests of an application. The lists may grow until the application is complete.
 *
 * @param requests notified when a request enters the application and when it leaves
 * @param attributes notified of changes of the requests' attributes
 */
public record RequestListeners(
        List<ServletRequestListener> requests, List<ServletRequestAttributeListener> attributes) {}
