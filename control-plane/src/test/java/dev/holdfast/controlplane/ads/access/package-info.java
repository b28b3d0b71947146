// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.controlplane.ads.access;

import org.jspecify.annotations.NullMarked;
