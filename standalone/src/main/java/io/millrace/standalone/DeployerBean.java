package io.millrace.standalone;

import io.millrace.jmx.Bean;
import io.millrace.standalone.admin.Administration.Refusal;
import io.millrace.standalone.config.ContextName;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The MBean {@code Deployer} of a host, by which tools keep scans of appBase from an application while they change its files. Thread-safe.
 */
final class DeployerBean {

    /** What it asks for. */
    interface Deployments {

        boolean isDeployed(ContextName name);

        /** Deploys, redeploys or undeploys what is at this name, by its files. */
        void check(ContextName name) throws Refusal;
    }

    private final Set<ContextName> serviced = ConcurrentHashMap.newKeySet();

    /** Whether a tool changes the files of this application, so that scans leave it alone. */
    boolean isServiced(ContextName name) {
        return serviced.contains(name);
    }

    Bean of(String host, Deployments deployments) {
        return Bean.of("The deployment of applications", "type", "Deployer", "host", host)
                .question(
                        "isDeployed",
                        "whether there is an application of this name",
                        boolean.class,
                        "name",
                        name -> deployments.isDeployed(parsed(name.get(0))))
                .question(
                        "isServiced",
                        "whether scans leave this application alone",
                        boolean.class,
                        "name",
                        name -> isServiced(parsed(name.get(0))))
                .change("addServiced", "makes scans leave an application alone", List.of("name"), name -> {
                    serviced.add(parsed(name.get(0)));
                    return null;
                })
                .change("removeServiced", "ends what addServiced began", List.of("name"), name -> {
                    serviced.remove(parsed(name.get(0)));
                    return null;
                })
                .change(
                        "check",
                        "deploys, redeploys or undeploys an application by its files, now",
                        List.of("name"),
                        name -> {
                            ContextName parsed = parsed(name.get(0));
                            if (!isServiced(parsed)) { // as in Tomcat
                                deployments.check(parsed);
                            }
                            return null;
                        });
    }

    /** As Tomcat names applications: {@code /shop##2}; the root is empty. */
    private static ContextName parsed(String name) {
        int mark = name.indexOf("##");
        String path = mark < 0 ? name : name.substring(0, mark);
        if (!path.isEmpty() && !path.startsWith("/")) {
            throw new IllegalArgumentException("\"" + name + "\" is no context path; expected one such as /shop");
        }
        return new ContextName(path.equals("/") ? "" : path, mark < 0 ? "" : name.substring(mark + 2));
    }
}
