// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

/** Where objects come from. */
public interface ObjectSource extends AutoCloseable {
  /**
   * Begins to report. The first report holds every object there is, and comes even if there is
   * none, so that the listener knows when it has seen all; each later one holds what became
   * different. May be called once.
   */
  void start(Listener listener);

  /** Ends the reports; one that is under way may still arrive. */
  @Override
  void close();

  /** Is told what a source holds, one report at a time. */
  @FunctionalInterface
  interface Listener {
    /** Something became different, objects or problems. */
    void onChange(ObjectChanges changes);
  }
}
