// SPDX-License-Identifier: Apache-2.0
/** What authors write, kind by kind: typed, with defaults filled in and every problem located. */
@NullMarked
package dev.holdfast.controlplane.objects;

import org.jspecify.annotations.NullMarked;
