<%@ tag body-content="scriptless" %><%@ attribute name="who" required="true" %><%@ variable name-given="times" scope="NESTED" %><% jspContext.setAttribute("times", 3); %>Hello ${who}: <jsp:doBody/>
