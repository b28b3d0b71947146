// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

/** A constant of an enum with the name that authors write. */
public interface EnumWord {
  /** The name that authors write. */
  String word();
}
