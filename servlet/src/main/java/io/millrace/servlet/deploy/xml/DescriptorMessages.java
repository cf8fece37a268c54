package io.millrace.servlet.deploy.xml;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about descriptors; ids 4104 and 4105 of 4100 to 4119. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface DescriptorMessages {

    DescriptorMessages MESSAGES = new DescriptorMessages_$logger(Logger.getLogger("io.millrace.servlet.deploy"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4104,
            value = "%s is ignored: such resources are created by Java EE servers; define a <Resource> in"
                    + " META-INF/context.xml or in the server's conf/context.xml instead")
    void forFullServer(String element);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4105, value = "%s: ignored; <%s> has no such element%s")
    void unknownElement(String element, String parent, String suggestion);
}
