<%@ include file="prelude.jspf" %>[<jsp:include page="do.jsp"><jsp:param name="a" value="of include"/></jsp:include>][<jsp:include page="/target/x?b=c" flush="true"/>] ${param.a}
