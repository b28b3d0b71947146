// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.controlplane.ads.view;

import org.jspecify.annotations.NullMarked;
