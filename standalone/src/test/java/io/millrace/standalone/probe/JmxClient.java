package io.millrace.standalone.probe;

import java.util.TreeSet;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Prints the names of MBeans that the JVM's own agent shows at a port; a program of its own. */
public final class JmxClient {

    private JmxClient() {}

    /**
     * Prints them.
     *
     * @param words a port and a query
     */
    @SuppressWarnings("BanJNDI") // the agent is the test's own
    public static void main(String[] words) throws Exception {
        JMXServiceURL url = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + words[0] + "/jmxrmi");
        try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            for (ObjectName each : new TreeSet<>(server.queryNames(new ObjectName(words[1]), null))) {
                System.out.println(each);
            }
        }
    }
}
