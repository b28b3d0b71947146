// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.controlplane.ads.proxy;

import org.jspecify.annotations.NullMarked;
