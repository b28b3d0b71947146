// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an author does to his files, in this order.
 *
 * @param what for error texts
 */
record Edit(String what, List<Change> changes) {
  /**
   * @param text null if the file goes away
   */
  record Change(String file, @Nullable String text) {}

  void applyTo(Plane plane) {
    for (Change change : changes) {
      String text = change.text();
      if (text == null) {
        plane.delete(change.file());
      } else {
        plane.write(change.file(), text);
      }
    }
  }

  void applyTo(PlaneProcess plane) {
    changes.forEach(change -> plane.write(change.file(), change.text()));
  }
}
