// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.report;

import dev.holdfast.demo.controlplane.Incident;
import dev.holdfast.demo.controlplane.ObjectState;

/** Is told what happens, as it happens, from one thread. */
public interface Narrator {
  /** Something is being started, which takes a moment. */
  void starts(String what);

  /** All of it runs. */
  void opens(DemoSetup setting);

  /** A step begins. May wait before it returns, until somebody wants to see it. */
  void begins(int number, StepHeading heading);

  /** What somebody said: a proxy, a client. */
  void quotes(String who, String words);

  /** What is said of an object. */
  void shows(ObjectState object);

  /** How the one to blame was found. */
  void searched(Incident incident);

  void claimed(CheckResult claim);

  void ends(StepReport report);

  void closes(DemoSummary summary);

  /** It goes on until somebody stops it. */
  void stays(DemoSetup setting);
}
