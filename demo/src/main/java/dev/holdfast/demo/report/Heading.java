// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.report;

import java.util.List;

/**
 * What a step is about.
 *
 * @param id for programs
 * @param story paragraphs
 */
public record Heading(String id, String title, List<String> story) {
  public Heading {
    story = List.copyOf(story);
  }

  public static Heading of(String id, String title, String... story) {
    return new Heading(id, title, List.of(story));
  }
}
