// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.report;

import dev.holdfast.demo.controlplane.Incident;
import dev.holdfast.demo.controlplane.ObjectState;

/** Presents the demo as it runs. Called by one thread. */
public interface Narrator {
  /** The demo is starting something. */
  void starts(String what);

  /** Everything is running. */
  void opens(DemoSetup setup);

  /** A step begins. The narrator may wait for its user before it returns. */
  void begins(int number, StepHeading heading);

  /** An error or message of a proxy or a client. */
  void quotes(String who, String words);

  /** The status of an object. */
  void shows(ObjectState object);

  /** The search for the offending object. */
  void searched(Incident incident);

  /** A check of the step ended. */
  void checked(CheckResult check);

  void ends(StepReport report);

  void closes(DemoSummary summary);

  /** The demo keeps running until it is stopped. */
  void stays(DemoSetup setup);
}
