package io.millrace.standalone.config;

import io.millrace.standalone.config.connector.AjpConnector;
import io.millrace.standalone.config.connector.ConnectorKind;
import io.millrace.standalone.config.connector.Protocols;
import io.millrace.standalone.config.connector.SpdyConnector;
import io.millrace.standalone.config.connector.ThreadPools;
import io.millrace.standalone.config.connector.TlsKinds;
import io.millrace.standalone.config.connector.UpgradeProtocols;
import io.millrace.standalone.config.context.ContextKinds;
import io.millrace.standalone.config.proxy.Proxy;
import io.millrace.standalone.config.realm.Realms;
import io.millrace.standalone.config.resource.ResourceKinds;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.IgnoredKind;
import io.millrace.standalone.config.valve.UnsupportedValve;
import io.millrace.standalone.config.valve.Valves;
import io.millrace.standalone.config.xml.XmlElement;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The one map of all kinds of elements: by name and class or, of a Connector, its protocol; those without a class are for all
 * other classes.
 */
final class Vocabulary {

    private static final Map<String, Element.Kind> KINDS = kinds();

    private Vocabulary() {}

    private static Map<String, Element.Kind> kinds() {
        Map<String, Element.Kind> kinds = new HashMap<>();
        Stream.<Collection<? extends Element.Kind>>of(
                        ServerKinds.kinds(),
                        ClusterKind.kinds(),
                        List.of(
                                new TomcatCluster(),
                                new Listeners(),
                                new ConnectorKind(),
                                ThreadPools.executor(),
                                Proxy.kind(),
                                new RulesKind(),
                                new UnsupportedValve()),
                        TlsKinds.kinds(),
                        UpgradeProtocols.kinds(),
                        ContextKinds.kinds(),
                        ResourceKinds.kinds(),
                        Realms.kinds(),
                        Valves.KINDS)
                .flatMap(Collection::stream)
                .forEach(kind -> kinds.put(key(kind.name(), kind.className()), kind));
        Element.Kind ajp = new AjpConnector();
        Protocols.ofAjp().forEach(protocol -> kinds.put(key(ajp.name(), protocol), ajp));
        List.of("3", "3.1")
                .forEach(version -> kinds.put(key(ajp.name(), "SPDY/" + version), new SpdyConnector(version)));
        return kinds;
    }

    private static String key(String name, @Nullable String className) {
        return className == null ? name : name + " " + className;
    }

    /** The kind of an element. */
    static Element.Kind of(XmlElement element) {
        String selector = element.value(element.name().equals("Connector") ? "protocol" : "className");
        Element.Kind kind = KINDS.get(key(element.name(), selector));
        Element.Kind other = kind == null ? KINDS.get(element.name()) : kind;
        return other == null ? IgnoredKind.of(element.name(), null) : other;
    }

    /** All kinds. */
    static Collection<Element.Kind> all() {
        return KINDS.values();
    }
}
