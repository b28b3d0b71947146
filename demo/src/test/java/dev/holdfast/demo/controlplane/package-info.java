// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.demo.controlplane;

import org.jspecify.annotations.NullMarked;
