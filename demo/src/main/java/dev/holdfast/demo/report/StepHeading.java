// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.report;

import java.util.List;

/**
 * What a step is about.
 *
 * @param id for programs
 * @param story paragraphs
 */
public record StepHeading(String id, String title, List<String> story) {
  public StepHeading {
    story = List.copyOf(story);
  }

  public static StepHeading of(String id, String title, String... story) {
    return new StepHeading(id, title, List.of(story));
  }
}
