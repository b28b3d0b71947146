// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.output;

/** Whether output is coloured. */
public enum Style {
  PLAIN {
    @Override
    public String apply(Colour colour, String text) {
      return text;
    }
  },
  COLOURED {
    @Override
    public String apply(Colour colour, String text) {
      return colour == Colour.NONE || text.isEmpty() ? text : colour.code + text + RESET;
    }
  };

  private static final String RESET = "\u001b[0m";

  public abstract String apply(Colour colour, String text);

  /** What a colour means; which one it is, is of no interest to callers. */
  public enum Colour {
    NONE(""),
    HEADING("\u001b[1m"),
    FAINT("\u001b[2m"),
    GOOD("\u001b[32m"),
    WARNING("\u001b[33m"),
    BAD("\u001b[31m");

    private final String code;

    Colour(String code) {
      this.code = code;
    }
  }
}
