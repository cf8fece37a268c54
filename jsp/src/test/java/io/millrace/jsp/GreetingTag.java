package io.millrace.jsp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import javax.annotation.PostConstruct;
import javax.annotation.PreDestroy;
import javax.annotation.Resource;
import javax.servlet.ServletContext;
import javax.servlet.jsp.JspException;
import javax.servlet.jsp.tagext.TagSupport;
import org.jspecify.annotations.Nullable;

/** A tag of an application. */
public final class GreetingTag extends TagSupport {

    private static final long serialVersionUID = 1L;

    @Resource(name = "greeting")
    private @Nullable String greeting;

    private String made = "";
    private transient Collection<String> told = new ArrayList<>();

    /** What the test looks at. */
    @SuppressWarnings("unchecked") // the test has put it there
    static Collection<String> told(ServletContext context) {
        return (Collection<String>) context.getAttribute("told");
    }

    @PostConstruct
    void begin() {
        made = "made with " + greeting;
    }

    @PreDestroy
    void end() {
        told.add("ended");
    }

    @Override
    public int doStartTag() throws JspException {
        told = told(pageContext.getServletContext());
        try {
            pageContext.getOut().print(made);
        } catch (IOException e) {
            throw new JspException(e);
        }
        return SKIP_BODY;
    }
}
