// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

/**
 * How many resources share a response after a proxy has rejected several, of which it used none. A
 * binary search: whatever it answers to the first half of them, the next group is half as big. Loop
 * only.
 */
public final class SuspectGroups {
  private int most = Integer.MAX_VALUE;

  /** How often it has accepted a single one: the search went wrong if that is often. */
  private int acceptedAlone;

  /** How many resources share the next response. */
  public int most() {
    return most;
  }

  /**
   * It accepted a response.
   *
   * @param isOpen whether there are suspects left
   */
  public void accepted(boolean isOpen) {
    acceptedAlone += most == 1 ? 1 : 0;
    if (!isOpen || acceptedAlone > 2) {
      found();
    } else if (most < Integer.MAX_VALUE) {
      most = (most + 1) / 2;
    }
  }

  /**
   * It rejected a response.
   *
   * @param suspects how many resources of it may be to blame; 0 if it is known which one is
   */
  public void rejected(int suspects) {
    if (suspects > 1) {
      most = (suspects + 1) / 2;
      acceptedAlone = 0;
    } else {
      found();
    }
  }

  /** All that are left go together, and as likely as not they are innocent. */
  private void found() {
    most = Integer.MAX_VALUE;
    acceptedAlone = 0;
  }
}
