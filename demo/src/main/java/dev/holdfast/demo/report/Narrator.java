// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.report;

import dev.holdfast.demo.plane.Incident;
import dev.holdfast.demo.plane.ObjectState;

/** Is told what happens, as it happens, from one thread. */
public interface Narrator {
  /** Something is being started, which takes a moment. */
  void starts(String what);

  /** All of it runs. */
  void opens(Setting setting);

  /** A step begins. May wait before it returns, until somebody wants to see it. */
  void begins(int number, Heading heading);

  /** What somebody said: a proxy, a client. */
  void quotes(String who, String words);

  /** What is said of an object. */
  void shows(ObjectState object);

  /** How the one to blame was found. */
  void searched(Incident incident);

  void claimed(Claim claim);

  void ends(StepReport report);

  void closes(Summary summary);

  /** It goes on until somebody stops it. */
  void stays(Setting setting);
}
