package io.millrace.examples.struts;

import com.opensymphony.xwork2.ActionContext;
import org.jspecify.annotations.Nullable;

/** Handles the form. SignAction-validation.xml validates it; invalid input shows the page again. */
public class SignAction extends GuestsAction {

    private String name = "";
    private @Nullable Integer age;

    @Override
    public String execute() {
        if (age == null) {
            return INPUT;
        }
        GuestBook.SHARED.sign(new Guest(name, age));
        ActionContext.getContext().getSession().put("you", name);
        addActionMessage(getText("thanks", new String[] {name}));
        return SUCCESS;
    }

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public @Nullable Integer getAge() {
        return age;
    }

    public void setAge(@Nullable Integer age) {
        this.age = age;
    }
}
