// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

/** A value of an enum that authors write by name. */
public interface EnumWord {
  /** How it is written. */
  String word();
}
