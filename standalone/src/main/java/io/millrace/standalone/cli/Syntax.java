package io.millrace.standalone.cli;

import java.util.List;

/**
 * The options and operands of a command.
 *
 * @param description one sentence for the help
 */
public record Syntax(String name, String description, Operand operand, List<Option> options) {}
