package io.millrace.jmx;

import io.millrace.log.CoreLog;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import org.jspecify.annotations.Nullable;

/**
 * The MBeans of a server, in the JVM's MBean server under a domain of their own. Until {@link #show} is called none is made, and no class of
 * JMX is loaded. Thread-safe.
 */
public final class JmxDomain implements AutoCloseable {

    /** Makes beans, each time that they are to be registered. */
    @FunctionalInterface
    public interface Source {

        /** The beans; must not block. */
        List<Bean> beans();
    }

    /** Beans that are there until this is closed. */
    public interface Offer extends AutoCloseable {

        /** Unregisters them. Does nothing the second time. */
        @Override
        void close();
    }

    /** Domains in use by servers of this process. Guarded by itself. */
    private static final Set<String> USED = new HashSet<>();

    private final String wanted;

    // guarded by this
    private final Map<Offer, Source> offers = new LinkedHashMap<>();
    /** What unregisters the beans of an offer. */
    private final Map<Offer, Runnable> registered = new LinkedHashMap<>();

    private @Nullable String name;
    private boolean closed;

    /**
     * A domain without beans.
     *
     * @param name such as {@code Catalina}; if another server of this process has it, a number is appended. What cannot be in a domain's
     *     name becomes an underscore
     */
    public JmxDomain(String name) {
        wanted = name.isBlank() ? "Millrace" : name.replaceAll("[:*?/\\p{Cntrl}]", "_");
    }

    /** Offers beans: they are registered if the domain is shown, or as soon as it is. */
    public synchronized Offer offer(Source source) {
        Offer offer = new Offer() {
            @Override
            public void close() {
                withdraw(this);
            }
        };
        if (!closed) {
            offers.put(offer, source);
            if (name != null) {
                register(offer, source);
            }
        }
        return offer;
    }

    /** Registers what is offered, now and from now on. Does nothing the second time. */
    public synchronized void show() {
        if (name == null && !closed) {
            name = unused(wanted);
            offers.forEach(this::register);
        }
    }

    /** Whether {@link #show} was called. */
    public synchronized boolean isShown() {
        return name != null;
    }

    /** The name of a bean, as others may refer to it: null unless the domain is shown. */
    public synchronized @Nullable String nameOf(Bean bean) {
        return name == null ? null : text(bean);
    }

    /** Unregisters all beans. Later offers are ignored. */
    @Override
    public synchronized void close() {
        closed = true;
        List.copyOf(offers.keySet()).forEach(this::withdraw);
        if (name != null) {
            synchronized (USED) {
                USED.remove(name);
            }
        }
    }

    private static String unused(String wanted) {
        synchronized (USED) {
            String free = wanted;
            for (int i = 1; Registry.hasServer(free) || !USED.add(free); i++) {
                free = wanted + "-" + i;
            }
            return free;
        }
    }

    /** A source that fails, as that of an application that is being stopped may, keeps no other beans from being registered. */
    private void register(Offer offer, Source source) {
        try {
            registered.put(offer, Registry.register(source.beans(), this::text));
        } catch (RuntimeException | Error failure) {
            CoreLog.SERVER.beanNotRegistered(name + ":*", failure.toString());
        }
    }

    private synchronized void withdraw(Offer offer) {
        offers.remove(offer);
        Runnable unregister = registered.remove(offer);
        if (unregister != null) {
            unregister.run();
        }
    }

    private String text(Bean bean) {
        return bean.nameIn(String.valueOf(name));
    }

    /** The JVM's MBean server. A class of its own, so that the one around it needs none of JMX. */
    private static final class Registry {

        private Registry() {}

        /** Whether a server of another class loader, which may be Tomcat itself, has this domain. */
        static boolean hasServer(String domain) {
            try {
                return ManagementFactory.getPlatformMBeanServer().isRegistered(new ObjectName(domain + ":type=Server"));
            } catch (JMException impossible) {
                throw new IllegalArgumentException(domain, impossible);
            }
        }

        static Runnable register(List<Bean> beans, Function<Bean, String> nameOf) {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            List<ObjectName> names = new ArrayList<>();
            for (Bean bean : beans) {
                String text = nameOf.apply(bean);
                try {
                    ObjectName name = new ObjectName(text);
                    server.registerMBean(new Registered(bean, text), name);
                    names.add(name);
                } catch (JMException
                        | RuntimeException
                        | Error e) { // such as a name that the application has registered itself
                    CoreLog.SERVER.beanNotRegistered(text, e.toString());
                }
            }
            return () -> names.forEach(each -> unregister(server, each));
        }

        private static void unregister(MBeanServer server, ObjectName name) {
            try {
                server.unregisterMBean(name);
            } catch (JMException | RuntimeException gone) {
                // somebody else has unregistered it
            }
        }
    }

    /** A bean as JMX sees it. */
    private static final class Registered implements DynamicMBean {

        private final Bean bean;
        private final String name;

        Registered(Bean bean, String name) {
            this.bean = bean;
            this.name = name;
        }

        @Override
        public @Nullable Object getAttribute(String attribute) throws AttributeNotFoundException {
            for (Bean.Attribute each : bean.attributes()) {
                if (each.name().equals(attribute)) {
                    return each.value().get();
                }
            }
            throw new AttributeNotFoundException(name + " has no attribute " + attribute + ", only "
                    + bean.attributes().stream().map(Bean.Attribute::name).toList());
        }

        @Override
        public AttributeList getAttributes(String[] names) {
            AttributeList values = new AttributeList();
            for (String each : names) {
                try {
                    values.add(new Attribute(each, getAttribute(each)));
                } catch (AttributeNotFoundException | RuntimeException left) {
                    // by the interface's contract it is left out
                }
            }
            return values;
        }

        @Override
        public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
            throw new AttributeNotFoundException("the attributes of " + name + " can only be read");
        }

        @Override
        public AttributeList setAttributes(AttributeList attributes) {
            return new AttributeList();
        }

        @Override
        public @Nullable Object invoke(String operation, Object[] arguments, String[] signature)
                throws MBeanException, ReflectionException {
            for (Bean.Operation each : bean.operations()) {
                int given = arguments == null ? 0 : arguments.length;
                if (each.name().equals(operation) && each.parameters().size() == given) {
                    return run(each, arguments);
                }
            }
            throw new ReflectionException(
                    new NoSuchMethodException(operation),
                    name + " has no operation " + operation + " with these arguments, only "
                            + bean.operations().stream()
                                    .map(each -> each.name() + each.parameters())
                                    .toList());
        }

        private @Nullable Object run(Bean.Operation operation, Object @Nullable [] arguments) throws MBeanException {
            List<String> texts = new ArrayList<>();
            for (Object each : arguments == null ? new Object[0] : arguments) {
                texts.add(String.valueOf(each));
            }
            String outcome = "done";
            try {
                return operation.action().run(texts);
            } catch (Exception e) {
                outcome = String.valueOf(e.getMessage());
                // a class of ours, or of an application, that the client may lack
                throw new MBeanException(new IllegalStateException(outcome), outcome);
            } finally {
                if (operation.changes()) {
                    CoreLog.SERVER.beanCalled(
                            operation.name(), name, Thread.currentThread().getName(), outcome);
                }
            }
        }

        @Override
        public MBeanInfo getMBeanInfo() {
            MBeanAttributeInfo[] attributes = bean.attributes().stream()
                    .map(each -> new MBeanAttributeInfo(
                            each.name(), each.type().getName(), each.description(), true, false, false))
                    .toArray(MBeanAttributeInfo[]::new);
            MBeanOperationInfo[] operations =
                    bean.operations().stream().map(Registered::info).toArray(MBeanOperationInfo[]::new);
            return new MBeanInfo("io.millrace.jmx.Bean", bean.description(), attributes, null, operations, null);
        }

        private static MBeanOperationInfo info(Bean.Operation operation) {
            MBeanParameterInfo[] parameters = IntStream.range(
                            0, operation.parameters().size())
                    .mapToObj(i -> new MBeanParameterInfo(
                            operation.parameters().get(i),
                            String.class.getName(),
                            operation.parameters().get(i)))
                    .toArray(MBeanParameterInfo[]::new);
            return new MBeanOperationInfo(
                    operation.name(),
                    operation.description(),
                    parameters,
                    operation.returns().getName(),
                    operation.changes() ? MBeanOperationInfo.ACTION : MBeanOperationInfo.INFO);
        }
    }
}
