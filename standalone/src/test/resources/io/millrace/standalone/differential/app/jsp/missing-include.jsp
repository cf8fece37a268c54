<jsp:include page="missing.jsp"/>after
