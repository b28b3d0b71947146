// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What of docs/troubleshooting.md a test produces, and then follows. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Symptom.All.class)
public @interface Symptom {
  /** The heading of a section. */
  String value();

  /** The first cell of a row of the section's table; empty for the section itself. */
  String row() default "";

  /** Several of one test. */
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @interface All {
    Symptom[] value();
  }
}
