package io.millrace.standalone;

import java.lang.reflect.Constructor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * Creates a {@code javax.mail.Session} from a Resource, as Tomcat's {@code org.apache.naming.factory.MailSessionFactory} does:
 * with the attributes that begin with {@code mail.}, and with {@code password} for the user that these name. JavaMail is
 * in the application or in {@code lib}, so it is called by reflection.
 */
final class MailSession {

    private static final String TYPE = "javax.mail.Session";
    private static final String FACTORY = "org.apache.naming.factory.MailSessionFactory";

    private static final List<String> PROTOCOLS = List.of("smtp", "smtps", "imap", "imaps", "pop3", "pop3s");

    private MailSession() {}

    static boolean isOne(Map<String, String> attributes) {
        String factory = attributes.get("factory");
        return factory == null ? TYPE.equals(attributes.get("type")) : factory.equals(FACTORY);
    }

    static boolean isMadeBy(ClassLoader loader) {
        try {
            Class.forName(TYPE, false, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** @throws NamingException if there is no JavaMail; the message is for the operator */
    static Object make(String name, Map<String, String> attributes, ClassLoader application) throws Exception {
        if (!isMadeBy(application)) {
            throw new NamingException("Resource " + name + " is a " + TYPE
                    + ", and the application has no JavaMail: put javax.mail.jar into WEB-INF/lib, or into lib");
        }
        Properties properties = properties(attributes);
        Class<?> type = Class.forName(TYPE, true, application);
        Object session = type.getMethod("getInstance", Properties.class).invoke(null, properties);
        String password = attributes.get("password");
        if (password != null) {
            remember(password, properties, session, application);
        }
        return session;
    }

    private static Properties properties(Map<String, String> attributes) {
        Properties properties = new Properties();
        properties.setProperty("mail.transport.protocol", "smtp");
        properties.setProperty("mail.smtp.host", "localhost");
        attributes.forEach((name, value) -> {
            if (name.startsWith("mail.")) {
                properties.setProperty(name, value);
            }
        });
        return properties;
    }

    /** Sets the password for each protocol with a host and a user in the properties. JavaMail looks it up when it connects. */
    private static void remember(String password, Properties properties, Object session, ClassLoader application)
            throws Exception {
        Class<?> urlType = Class.forName("javax.mail.URLName", true, application);
        Class<?> loginType = Class.forName("javax.mail.PasswordAuthentication", true, application);
        Constructor<?> url =
                urlType.getConstructor(String.class, String.class, int.class, String.class, String.class, String.class);
        var set = session.getClass().getMethod("setPasswordAuthentication", urlType, loginType);
        Set<String> protocols = new LinkedHashSet<>(PROTOCOLS);
        protocols.add(properties.getProperty("mail.transport.protocol"));
        protocols.add(properties.getProperty("mail.store.protocol", "imap"));
        for (String protocol : protocols) {
            String host = of("host", protocol, properties);
            String user = of("user", protocol, properties);
            if (host != null && user != null) {
                Object login =
                        loginType.getConstructor(String.class, String.class).newInstance(user, password);
                set.invoke(session, url.newInstance(protocol, host, -1, null, user, null), login);
            }
        }
    }

    private static @Nullable String of(String what, String protocol, Properties properties) {
        return properties.getProperty("mail." + protocol + '.' + what, properties.getProperty("mail." + what));
    }
}
