package io.millrace.standalone.admin;

/**
 * What a person or a program that asked is answered.
 *
 * @param text with a line break at its end
 * @param isJson whether the text is JSON
 */
record Answer(int status, String text, boolean isJson) {

    /** It was done. */
    static Answer done(String text) {
        return new Answer(200, text + "\n", false);
    }

    /** It was not done. */
    static Answer refused(String why) {
        return new Answer(409, why + "\n", false);
    }

    /** A table in the form that was asked for. */
    static Answer of(Table table, Question question) {
        boolean json = question.says("json");
        return new Answer(200, json ? table.json() : table.text(), json);
    }
}
